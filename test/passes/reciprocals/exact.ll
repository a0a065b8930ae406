; SPDX-License-Identifier: Apache-2.0
; SPDX-FileCopyrightText: The Quern authors
; A division that is to be rounded correctly stays, and one in other registers.
; RUN: %quernc --passes=reciprocals %s | FileCheck %s

; CHECK-LABEL: @exact(
; CHECK: fdiv <16 x float> splat (float 1.0
define <16 x float> @exact(<16 x float> %x) {
  %y = fdiv <16 x float> splat (float 1.0), %x
  ret <16 x float> %y
}

; CHECK-LABEL: @nearly_exact(
; CHECK: fdiv <16 x float>
define <16 x float> @nearly_exact(<16 x float> %x) {
  %y = fdiv <16 x float> splat (float 1.0), %x, !fpmath !0
  ret <16 x float> %y
}

; CHECK-LABEL: @half_register(
; CHECK: fdiv <8 x float>
define <8 x float> @half_register(<8 x float> %x) {
  %y = fdiv <8 x float> splat (float 1.0), %x, !fpmath !1
  ret <8 x float> %y
}

!0 = !{float 1.0}
!1 = !{float 2.5}
