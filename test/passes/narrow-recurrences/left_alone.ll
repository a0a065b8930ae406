; SPDX-License-Identifier: Apache-2.0
; SPDX-FileCopyrightText: The Quern authors
; High bits that are used anywhere, and masks of other widths.
; RUN: %quernc --passes=narrow-recurrences %s | FileCheck %s

; CHECK-LABEL: @compared(
; CHECK: phi i64
; CHECK: and i64 %i, 4294967295
define i64 @compared(i64 %start, i64 %step, i64 %end) {
entry:
  br label %loop
loop:
  %i = phi i64 [ %start, %entry ], [ %i.next, %loop ]
  %index = and i64 %i, 4294967295
  %i.next = add i64 %index, %step
  %done = icmp ugt i64 %i, %end
  br i1 %done, label %exit, label %loop
exit:
  ret i64 %index
}

; CHECK-LABEL: @other_mask(
; CHECK: phi i64
define i64 @other_mask(i64 %start, i64 %step, i64 %end) {
entry:
  br label %loop
loop:
  %i = phi i64 [ %start, %entry ], [ %i.next, %loop ]
  %index = and i64 %i, 8589934591
  %i.next = add i64 %index, %step
  %done = icmp ugt i64 %index, %end
  br i1 %done, label %exit, label %loop
exit:
  ret i64 %index
}

; A logical shift after the shift to the left is another use of the low bits.
; CHECK-LABEL: @rotated(
; CHECK: phi i64
define i64 @rotated(i64 %start, i64 %step, i64 %end) {
entry:
  br label %loop
loop:
  %i = phi i64 [ %start, %entry ], [ %i.next, %loop ]
  %high = shl i64 %i, 32
  %index = lshr exact i64 %high, 30
  %i.next = add i64 %index, %step
  %done = icmp ugt i64 %index, %end
  br i1 %done, label %exit, label %loop
exit:
  ret i64 %index
}
