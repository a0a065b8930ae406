; SPDX-License-Identifier: Apache-2.0
; SPDX-FileCopyrightText: The Quern authors
; `uint i = ...; in[i]; i += size` for a size of 64 bits: a phi of 32 bits and a zero extension.
; RUN: %quernc --passes=narrow-recurrences %s | FileCheck %s

; CHECK-LABEL: @unsigned_index(
; CHECK: [[START:%.*]] = trunc i64 %start to i32
; CHECK: loop:
; CHECK: [[INDEX:%.*]] = phi i32 [ [[START]], %entry ], [ [[NEXT:%.*]], %loop ]
; CHECK-NOT: phi i64
; CHECK: [[WIDE:%.*]] = zext i32 [[INDEX]] to i64
; CHECK: getelementptr inbounds float, ptr %in, i64 [[WIDE]]
; CHECK: [[STEP:%.*]] = trunc i64 %step to i32
; CHECK: [[NEXT]] = add i32 [[INDEX]], [[STEP]]
define float @unsigned_index(ptr %in, i64 %start, i64 %step, i32 %count) {
entry:
  br label %loop
loop:
  %i = phi i64 [ %start, %entry ], [ %i.next, %loop ]
  %k = phi i32 [ 0, %entry ], [ %k.next, %loop ]
  %sum = phi float [ 0.0, %entry ], [ %sum.next, %loop ]
  %index = and i64 %i, 4294967295
  %p = getelementptr inbounds float, ptr %in, i64 %index
  %x = load float, ptr %p, align 4
  %sum.next = fadd float %sum, %x
  %i.next = add i64 %index, %step
  %k.next = add nuw i32 %k, 1
  %done = icmp eq i32 %k.next, %count
  br i1 %done, label %exit, label %loop
exit:
  ret float %sum.next
}
