; SPDX-License-Identifier: Apache-2.0
; SPDX-FileCopyrightText: The Quern authors
; Where the bits above a mask are zeros anyway, the mask becomes that of an index of 32 bits.
; RUN: %quernc --passes=or-to-add %s | FileCheck %s

; CHECK-LABEL: @bounded(
; CHECK: %[[INDEX:.*]] = add i64 %row, %column
; CHECK: and i64 %[[INDEX]], 4294967295
define i64 @bounded(i64 %x, i64 %y) {
  %few = and i64 %y, 1023
  %row = shl i64 %few, 10
  %column = and i64 %x, 1023
  %index = or i64 %row, %column
  %low = and i64 %index, 1048575
  ret i64 %low
}
