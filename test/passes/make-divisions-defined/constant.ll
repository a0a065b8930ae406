; SPDX-License-Identifier: Apache-2.0
; SPDX-FileCopyrightText: The Quern authors
; Constants that have a quotient with every number need nothing; -1 and vectors with a 0 do.
; RUN: %quernc --passes=make-divisions-defined %s | FileCheck %s

; CHECK-LABEL: @constant(
; CHECK-NEXT: sdiv i32 %x, 7
; CHECK-NEXT: udiv i32 %q, -1
; CHECK-NEXT: ret
define i32 @constant(i32 %x) {
  %q = sdiv i32 %x, 7
  %p = udiv i32 %q, -1
  ret i32 %p
}

; CHECK-LABEL: @minus_one(
; CHECK: sdiv i32 %x, 1
define i32 @minus_one(i32 %x) {
  %q = sdiv i32 %x, -1
  ret i32 %q
}

; CHECK-LABEL: @with_zero(
; CHECK-NOT: udiv <2 x i32> %x, <i32 3, i32 0>
; CHECK: ret
define <2 x i32> @with_zero(<2 x i32> %x) {
  %q = udiv <2 x i32> %x, <i32 3, i32 0>
  ret <2 x i32> %q
}
