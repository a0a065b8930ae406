; SPDX-License-Identifier: Apache-2.0
; SPDX-FileCopyrightText: The Quern authors
; A bound that a branch has tested counts where it is true alone.
; RUN: %quernc --passes=or-to-add %s | FileCheck %s

; CHECK-LABEL: @tested(
; CHECK: then:
; CHECK: %[[INDEX:.*]] = add i64 %row, %x
; CHECK: else:
; CHECK: or i64 %row, %x
define i64 @tested(i64 %x, i64 %y) {
  %row = shl i64 %y, 10
  %narrow = trunc i64 %x to i32
  %fits = icmp ult i32 %narrow, 1024
  br i1 %fits, label %then, label %else
then:
  %index = or i64 %row, %x
  %low = and i64 %index, 1048575
  ret i64 %low
else:
  %other = or i64 %row, %x
  %rest = and i64 %other, 1048575
  ret i64 %rest
}
