; SPDX-License-Identifier: Apache-2.0
; SPDX-FileCopyrightText: The Quern authors
; A power with a small integer is a product, by squaring; one with a negative integer that of the inverse.
; RUN: %quernc --passes=fold-library-calls %s | FileCheck %s

; CHECK-LABEL: @square(
; CHECK: %y = fmul float %x, %x
; CHECK: ret float %y
define float @square(float %x) {
  %y = call spir_func float @_Z3powff(float %x, float 2.0)
  ret float %y
}

; CHECK-LABEL: @seventh(
; CHECK: [[TWO:%.*]] = fmul double %x, %x
; CHECK: [[THREE:%.*]] = fmul double %x, [[TWO]]
; CHECK: [[FOUR:%.*]] = fmul double [[TWO]], [[TWO]]
; CHECK: %y = fmul double [[THREE]], [[FOUR]]
define double @seventh(double %x) {
  %y = call spir_func double @_Z4powndi(double %x, i32 7)
  ret double %y
}

; CHECK-LABEL: @inverse_square(
; CHECK: [[INVERSE:%.*]] = fdiv float 1.000000e+00, %x, !fpmath
; CHECK: %y = fmul float [[INVERSE]], [[INVERSE]]
define float @inverse_square(float %x) {
  %y = call spir_func float @_Z3powff(float %x, float -2.0)
  ret float %y
}

; CHECK-LABEL: @vector(
; CHECK: fmul <4 x float> %x, %x
define <4 x float> @vector(<4 x float> %x) {
  %y = call spir_func <4 x float> @_Z3powDv4_fS_(<4 x float> %x, <4 x float> splat (float 2.0))
  ret <4 x float> %y
}

; CHECK-LABEL: @zeroth(
; CHECK: ret float 1.000000e+00
define float @zeroth(float %x) {
  %y = call spir_func float @_Z3powff(float %x, float -0.0)
  ret float %y
}

declare spir_func float @_Z3powff(float, float)
declare spir_func double @_Z4powndi(double, i32)
declare spir_func <4 x float> @_Z3powDv4_fS_(<4 x float>, <4 x float>)
