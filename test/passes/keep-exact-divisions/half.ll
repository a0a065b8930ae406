; SPDX-License-Identifier: Apache-2.0
; SPDX-FileCopyrightText: The Quern authors
; So is one of halves, whatever is said of it, and of vectors of them.
; RUN: %quernc --passes=keep-exact-divisions %s | FileCheck %s

; CHECK-LABEL: @half(
; CHECK: fdiv half %x, %y, !fpmath
define half @half(half %x, half %y) {
  %q = fdiv arcp half %x, %y, !fpmath !0
  ret half %q
}

; CHECK-LABEL: @halves(
; CHECK: fdiv nnan <4 x half> %x, %y
define <4 x half> @halves(<4 x half> %x, <4 x half> %y) {
  %q = fdiv arcp nnan <4 x half> %x, %y
  ret <4 x half> %q
}

!0 = !{float 2.5}
