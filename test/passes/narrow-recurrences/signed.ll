; SPDX-License-Identifier: Apache-2.0
; SPDX-FileCopyrightText: The Quern authors
; Pairs of shifts are sign extensions, scaled by four or not.
; RUN: %quernc --passes=narrow-recurrences %s | FileCheck %s

; CHECK-LABEL: @signed_index(
; CHECK: loop:
; CHECK: [[INDEX:%.*]] = phi i32
; CHECK-NOT: phi i64
; CHECK-DAG: [[WIDE:%.*]] = sext i32 [[INDEX]] to i64
; CHECK-DAG: [[SCALED:%.*]] = shl nsw i64 {{%.*}}, 2
; CHECK: getelementptr inbounds i8, ptr %in, i64 [[SCALED]]
; CHECK: getelementptr inbounds i8, ptr %bytes, i64 [[WIDE]]
; CHECK: add i32 [[INDEX]],
define i32 @signed_index(ptr %in, ptr %bytes, i64 %start, i64 %step, i32 %count) {
entry:
  br label %loop
loop:
  %i = phi i64 [ %start, %entry ], [ %i.next, %loop ]
  %k = phi i32 [ 0, %entry ], [ %k.next, %loop ]
  %high = shl i64 %i, 32
  %index = ashr exact i64 %high, 32
  %offset = ashr exact i64 %high, 30
  %p = getelementptr inbounds i8, ptr %in, i64 %offset
  %q = getelementptr inbounds i8, ptr %bytes, i64 %index
  store i32 %k, ptr %p, align 4
  store i8 0, ptr %q, align 1
  %i.next = add i64 %index, %step
  %k.next = add nuw i32 %k, 1
  %done = icmp eq i32 %k.next, %count
  br i1 %done, label %exit, label %loop
exit:
  ret i32 %k
}
