; SPDX-License-Identifier: Apache-2.0
; SPDX-FileCopyrightText: The Quern authors
; One that may be off by 2.5 ulp, or of doubles, may be a product.
; RUN: %quernc --passes=keep-exact-divisions %s | FileCheck %s

; CHECK-LABEL: @loose(
; CHECK: fdiv arcp float %x, %y, !fpmath
define float @loose(float %x, float %y) {
  %q = fdiv arcp float %x, %y, !fpmath !0
  ret float %q
}

; CHECK-LABEL: @double(
; CHECK: fdiv arcp double %x, %y
define double @double(double %x, double %y) {
  %q = fdiv arcp double %x, %y
  ret double %q
}

!0 = !{float 2.5}
