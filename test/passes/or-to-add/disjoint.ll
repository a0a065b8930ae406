; SPDX-License-Identifier: Apache-2.0
; SPDX-FileCopyrightText: The Quern authors
; What LLVM knows to be disjoint it takes for a sum itself.
; RUN: %quernc --passes=or-to-add %s | FileCheck %s

; CHECK-LABEL: @disjoint(
; CHECK: or disjoint i64 %row, %column
define i64 @disjoint(i64 %x, i64 %y) {
  %row = shl i64 %y, 10
  %column = and i64 %x, 1023
  %index = or disjoint i64 %row, %column
  %low = and i64 %index, 1048575
  ret i64 %low
}
