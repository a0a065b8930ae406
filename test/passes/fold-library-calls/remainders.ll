; SPDX-License-Identifier: Apache-2.0
; SPDX-FileCopyrightText: The Quern authors
; A remainder by a power of two takes no division; the sign of the divisor does not count.
; RUN: %quernc --passes=fold-library-calls %s | FileCheck %s

; CHECK-LABEL: @by_four(
; CHECK: [[QUOTIENT:%.*]] = fmul float %x, 2.500000e-01
; CHECK: [[WHOLE:%.*]] = call float @llvm.trunc.f32(float [[QUOTIENT]])
; CHECK: [[MULTIPLE:%.*]] = fmul float [[WHOLE]], 4.000000e+00
; CHECK: [[REST:%.*]] = fsub float %x, [[MULTIPLE]]
; CHECK: call float @llvm.copysign.f32(float [[REST]], float %x)
define float @by_four(float %x) {
  %y = call spir_func float @_Z4fmodff(float %x, float -4.0)
  ret float %y
}

; CHECK-LABEL: @by_one(
; CHECK: [[WHOLE:%.*]] = call double @llvm.trunc.f64(double %x)
; CHECK: fsub double %x, [[WHOLE]]
define double @by_one(double %x) {
  %y = call spir_func double @_Z4fmoddd(double %x, double 1.0)
  ret double %y
}

; The quotient by a half may overflow; that by three is rounded.
; CHECK-LABEL: @others(
; CHECK: call spir_func float @_Z4fmodff(float %x, float 5.000000e-01)
; CHECK: call spir_func float @_Z4fmodff(float %x, float 3.000000e+00)
define float @others(float %x) {
  %a = call spir_func float @_Z4fmodff(float %x, float 0.5)
  %b = call spir_func float @_Z4fmodff(float %x, float 3.0)
  %c = fadd float %a, %b
  ret float %c
}

declare spir_func float @_Z4fmodff(float, float)
declare spir_func double @_Z4fmoddd(double, double)
