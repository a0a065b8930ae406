; SPDX-License-Identifier: Apache-2.0
; SPDX-FileCopyrightText: The Quern authors
; 256 branches that depend on values of the array stay, and a body of too many blocks gets no vectors. Loops are left.
; Branches that depend on the counters are folded.
; RUN: %quernc --passes='function(favor-private-arrays)' %s | FileCheck %s

; CHECK-LABEL: @values(
; CHECK-NOT: !llvm.loop
; CHECK: ret void
; CHECK-LABEL: @counters(
; CHECK: br i1 %j.more, label %inner, label %outer.latch, !llvm.loop
; CHECK: br i1 %i.more, label %outer, label %done, !llvm.loop
define void @values(ptr %in, ptr %out) {
entry:
  %values = alloca [16 x float]
  call void @llvm.memset.p0.i64(ptr %values, i8 0, i64 64, i1 false)
  br label %outer
outer:
  %i = phi i32 [ 0, %entry ], [ %i.next, %outer.latch ]
  %p = getelementptr float, ptr %values, i32 %i
  br label %inner
inner:
  %j = phi i32 [ 0, %outer ], [ %j.next, %latch ]
  %q = getelementptr float, ptr %values, i32 %j
  %a = load float, ptr %p
  %b = load float, ptr %q
  %c = fcmp ogt float %a, %b
  br i1 %c, label %then, label %latch
then:
  %sum = fadd float %a, %b
  store float %sum, ptr %q
  br label %latch
latch:
  %j.next = add nuw nsw i32 %j, 1
  %j.more = icmp ult i32 %j.next, 16
  br i1 %j.more, label %inner, label %outer.latch
outer.latch:
  %i.next = add nuw nsw i32 %i, 1
  %i.more = icmp ult i32 %i.next, 16
  br i1 %i.more, label %outer, label %done
done:
  %result = load float, ptr %values
  store float %result, ptr %out
  ret void
}

define void @counters(ptr %in, ptr %out) {
entry:
  %values = alloca [16 x float]
  call void @llvm.memset.p0.i64(ptr %values, i8 0, i64 64, i1 false)
  br label %outer
outer:
  %i = phi i32 [ 0, %entry ], [ %i.next, %outer.latch ]
  %p = getelementptr float, ptr %values, i32 %i
  br label %inner
inner:
  %j = phi i32 [ 0, %outer ], [ %j.next, %latch ]
  %q = getelementptr float, ptr %values, i32 %j
  %a = load float, ptr %p
  %b = load float, ptr %q
  %c = icmp ugt i32 %i, %j
  br i1 %c, label %then, label %latch
then:
  %sum = fadd float %a, %b
  store float %sum, ptr %q
  br label %latch
latch:
  %j.next = add nuw nsw i32 %j, 1
  %j.more = icmp ult i32 %j.next, 16
  br i1 %j.more, label %inner, label %outer.latch
outer.latch:
  %i.next = add nuw nsw i32 %i, 1
  %i.more = icmp ult i32 %i.next, 16
  br i1 %i.more, label %outer, label %done
done:
  %result = load float, ptr %values
  store float %result, ptr %out
  ret void
}

declare void @llvm.memset.p0.i64(ptr, i8, i64, i1)
