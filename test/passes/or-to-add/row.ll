; SPDX-License-Identifier: Apache-2.0
; SPDX-FileCopyrightText: The Quern authors
; Parts of an index that have no bit in common are added.
; RUN: %quernc --passes=or-to-add %s | FileCheck %s

; CHECK-LABEL: @row(
; CHECK: %[[INDEX:.*]] = add i64 %row, %column
; CHECK-NEXT: and i64 %[[INDEX]], 1048575
define i64 @row(i64 %x, i64 %y) {
  %row = shl i64 %y, 10
  %column = and i64 %x, 1023
  %index = or i64 %row, %column
  %low = and i64 %index, 1048575
  ret i64 %low
}
