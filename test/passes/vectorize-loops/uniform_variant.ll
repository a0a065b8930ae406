; SPDX-License-Identifier: Apache-2.0
; SPDX-FileCopyrightText: The Quern authors
; A variant of a callee for vectors of work-items that has no vectors gets them in its own loops; one that has some, and
; the entry that the runtime calls, do not.
; RUN: %quernc --passes="function(loop-simplify,lcssa,vectorize-loops)" %s | FileCheck %s

; CHECK-LABEL: @uniform(
; CHECK: fadd reassoc <{{[0-9]+}} x float>
; CHECK: ret void
; CHECK-LABEL: @varying(
; CHECK-NOT: fadd reassoc <
; CHECK: ret void
; CHECK-LABEL: @entry(
; CHECK-NOT: fadd reassoc <
; CHECK: ret void

define internal void @uniform(ptr %in, ptr %out, <8 x i1> %mask) "quern-vectorized"="8" {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %i.next, %loop ]
  %sum = phi float [ 0.0, %entry ], [ %sum.next, %loop ]
  %p = getelementptr float, ptr %in, i64 %i
  %x = load float, ptr %p
  %sum.next = fadd reassoc float %sum, %x
  %i.next = add nuw nsw i64 %i, 1
  %more = icmp ult i64 %i.next, 1024
  br i1 %more, label %loop, label %exit
exit:
  store float %sum.next, ptr %out
  ret void
}

define internal void @varying(ptr %in, ptr %out, <8 x i1> %mask) "quern-vectorized"="8" {
entry:
  %stored = zext <8 x i1> %mask to <8 x i32>
  store <8 x i32> %stored, ptr %out
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %i.next, %loop ]
  %sum = phi float [ 0.0, %entry ], [ %sum.next, %loop ]
  %p = getelementptr float, ptr %in, i64 %i
  %x = load float, ptr %p
  %sum.next = fadd reassoc float %sum, %x
  %i.next = add nuw nsw i64 %i, 1
  %more = icmp ult i64 %i.next, 1024
  br i1 %more, label %loop, label %exit
exit:
  store float %sum.next, ptr %out
  ret void
}

define void @entry(ptr %in, ptr %out) "quern-vectorized"="8" {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %i.next, %loop ]
  %sum = phi float [ 0.0, %entry ], [ %sum.next, %loop ]
  %p = getelementptr float, ptr %in, i64 %i
  %x = load float, ptr %p
  %sum.next = fadd reassoc float %sum, %x
  %i.next = add nuw nsw i64 %i, 1
  %more = icmp ult i64 %i.next, 1024
  br i1 %more, label %loop, label %exit
exit:
  store float %sum.next, ptr %out
  ret void
}
