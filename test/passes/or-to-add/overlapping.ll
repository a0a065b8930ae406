; SPDX-License-Identifier: Apache-2.0
; SPDX-FileCopyrightText: The Quern authors
; Parts that may have a bit in common are not added, nor indices of more than 32 bits.
; RUN: %quernc --passes=or-to-add %s | FileCheck %s

; CHECK-LABEL: @overlapping(
; CHECK: or i64 %row, %column
; CHECK: and i64 %index, 1048575
define i64 @overlapping(i64 %x, i64 %y) {
  %row = shl i64 %y, 10
  %column = and i64 %x, 2047
  %index = or i64 %row, %column
  %low = and i64 %index, 1048575
  ret i64 %low
}

; CHECK-LABEL: @wide(
; CHECK: or i64 %row, %column
define i64 @wide(i64 %x, i64 %y) {
  %row = shl i64 %y, 10
  %column = and i64 %x, 1023
  %index = or i64 %row, %column
  %low = and i64 %index, 8589934591
  ret i64 %low
}
