; SPDX-License-Identifier: Apache-2.0
; SPDX-FileCopyrightText: The Quern authors
; Halves and quarters in a power are roots. pow of -0 is 0, and of -inf infinity or 0, which roots of these are not.
; RUN: %quernc --passes=fold-library-calls %s | FileCheck %s

; CHECK-LABEL: @half(
; CHECK: [[POSITIVE:%.*]] = fadd float %x, 0.000000e+00
; CHECK: [[ROOT:%.*]] = call float @llvm.sqrt.f32(float [[POSITIVE]])
; CHECK: [[INFINITE:%.*]] = fcmp oeq float %x, 0xFFF0000000000000
; CHECK: %y = select i1 [[INFINITE]], float 0x7FF0000000000000, float [[ROOT]]
define float @half(float %x) {
  %y = call spir_func float @_Z3powff(float %x, float 0.5)
  ret float %y
}

; CHECK-LABEL: @minus_three_halves(
; CHECK: [[ROOT:%.*]] = call float @llvm.sqrt.f32(
; CHECK: [[INVERSE:%.*]] = fdiv float 1.000000e+00, [[ROOT]]
; CHECK: [[SQUARE:%.*]] = fmul float [[INVERSE]], [[INVERSE]]
; CHECK: [[CUBE:%.*]] = fmul float [[INVERSE]], [[SQUARE]]
; CHECK: select i1 {{.*}}, float 0.000000e+00, float [[CUBE]]
define float @minus_three_halves(float %x) {
  %y = call spir_func float @_Z3powff(float %x, float -1.5)
  ret float %y
}

; No infinities and no signs of zeros.
; CHECK-LABEL: @fast(
; CHECK-NEXT: %y = call fast float @llvm.sqrt.f32(float %x)
; CHECK-NEXT: ret float %y
define float @fast(float %x) {
  %y = call fast spir_func float @_Z3powff(float %x, float 0.5)
  ret float %y
}

; powr of a negative number is not a number; that of -0 is 0.
; CHECK-LABEL: @of_positive(
; CHECK: [[POSITIVE:%.*]] = fadd float %x, 0.000000e+00
; CHECK: [[SQUARE:%.*]] = fmul float [[POSITIVE]], [[POSITIVE]]
; CHECK: [[NEGATIVE:%.*]] = fcmp olt float %x, 0.000000e+00
; CHECK: select i1 [[NEGATIVE]], float 0x7FF8000000000000, float [[SQUARE]]
define float @of_positive(float %x) {
  %y = call spir_func float @_Z4powrff(float %x, float 2.0)
  ret float %y
}

; CHECK-LABEL: @square_root(
; CHECK: [[POSITIVE:%.*]] = fadd <4 x float> %x, zeroinitializer
; CHECK: call <4 x float> @llvm.sqrt.v4f32(<4 x float> [[POSITIVE]])
define <4 x float> @square_root(<4 x float> %x) {
  %y = call spir_func <4 x float> @_Z5rootnDv4_fDv4_i(<4 x float> %x, <4 x i32> splat (i32 2))
  ret <4 x float> %y
}

; CHECK-LABEL: @cube_root(
; CHECK: [[ROOT:%.*]] = call spir_func double @_Z4cbrtd(double %x)
; CHECK: fdiv double 1.000000e+00, [[ROOT]]
define double @cube_root(double %x) {
  %y = call spir_func double @_Z5rootndi(double %x, i32 -3)
  ret double %y
}

declare spir_func float @_Z3powff(float, float)
declare spir_func float @_Z4powrff(float, float)
declare spir_func <4 x float> @_Z5rootnDv4_fDv4_i(<4 x float>, <4 x i32>)
declare spir_func double @_Z5rootndi(double, i32)
