; SPDX-License-Identifier: Apache-2.0
; SPDX-FileCopyrightText: The Quern authors
; What would be off by more than the specification allows stays: large powers, a third, half precision beyond a few
; products. A program's own function of the name does, too.
; RUN: %quernc --passes=fold-library-calls %s | FileCheck %s

; CHECK-LABEL: @large(
; CHECK: call spir_func float @_Z3powff(float %x, float 1.700000e+01)
; CHECK: call spir_func float @_Z3powff(float %x, float -9.000000e+00)
define float @large(float %x) {
  %a = call spir_func float @_Z3powff(float %x, float 17.0)
  %b = call spir_func float @_Z3powff(float %x, float -9.0)
  %c = fadd float %a, %b
  ret float %c
}

; CHECK-LABEL: @third(
; CHECK: call spir_func float @_Z3powff(
define float @third(float %x) {
  %y = call spir_func float @_Z3powff(float %x, float 0x3FD5555560000000)
  ret float %y
}

; CHECK-LABEL: @half(
; CHECK: call spir_func half @_Z3powDhDh(
define half @half(half %x) {
  %y = call spir_func half @_Z3powDhDh(half %x, half 5.0)
  ret half %y
}

; CHECK-LABEL: @different(
; CHECK: call spir_func <2 x float> @_Z3powDv2_fS_(
define <2 x float> @different(<2 x float> %x) {
  %y = call spir_func <2 x float> @_Z3powDv2_fS_(<2 x float> %x, <2 x float> <float 2.0, float 3.0>)
  ret <2 x float> %y
}

; CHECK-LABEL: @own(
; CHECK: call double @_Z3powdd(
define double @own(double %x) {
  %y = call double @_Z3powdd(double %x, double 2.0)
  ret double %y
}

define double @_Z3powdd(double %x, double %y) {
  ret double %x
}

declare spir_func float @_Z3powff(float, float)
declare spir_func half @_Z3powDhDh(half, half)
declare spir_func <2 x float> @_Z3powDv2_fS_(<2 x float>, <2 x float>)
