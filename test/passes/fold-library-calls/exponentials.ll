; SPDX-License-Identifier: Apache-2.0
; SPDX-FileCopyrightText: The Quern authors
; A power of a power of two is that of two; one of two by an integer is exact.
; RUN: %quernc --passes=fold-library-calls %s | FileCheck %s

; CHECK-LABEL: @sixteenth(
; CHECK: [[PRODUCT:%.*]] = fmul afn float %x, -4.000000e+00
; CHECK: call afn spir_func float @_Z4exp2f(float [[PRODUCT]])
define float @sixteenth(float %x) {
  %y = call afn spir_func float @_Z3powff(float 0.0625, float %x)
  ret float %y
}

; CHECK-LABEL: @ten(
; CHECK: call spir_func float @_Z5exp10f(float %x)
define float @ten(float %x) {
  %y = call spir_func float @_Z3powff(float 10.0, float %x)
  ret float %y
}

; CHECK-LABEL: @of_int(
; CHECK: [[BELOW:%.*]] = call i32 @llvm.smin.i32(i32 %n, i32 200)
; CHECK: [[LIMITED:%.*]] = call i32 @llvm.smax.i32(i32 [[BELOW]], i32 -200)
; CHECK: call float @llvm.ldexp.f32.i32(float 1.000000e+00, i32 [[LIMITED]])
define float @of_int(i32 %n) {
  %x = sitofp i32 %n to float
  %y = call spir_func float @_Z3powff(float 2.0, float %x)
  ret float %y
}

; CHECK-LABEL: @of_ulong(
; CHECK: [[LIMITED:%.*]] = call i64 @llvm.umin.i64(i64 %n, i64 200)
; CHECK: [[NARROW:%.*]] = trunc i64 [[LIMITED]] to i32
; CHECK: call float @llvm.ldexp.f32.i32(float 1.000000e+00, i32 [[NARROW]])
define float @of_ulong(i64 %n) {
  %x = uitofp i64 %n to float
  %y = call spir_func float @_Z4exp2f(float %x)
  ret float %y
}

; CHECK-LABEL: @of_converted(
; CHECK: [[WIDE:%.*]] = zext <2 x i8> %n to <2 x i32>
; CHECK: call <2 x float> @llvm.ldexp.v2f32.v2i32(<2 x float> splat (float 1.000000e+00), <2 x i32> [[WIDE]])
define <2 x float> @of_converted(<2 x i8> %n) {
  %x = call spir_func <2 x float> @_Z14convert_float2Dv2_h(<2 x i8> %n)
  %y = call spir_func <2 x float> @_Z4exp2Dv2_f(<2 x float> %x)
  ret <2 x float> %y
}

; Doubles gain nothing.
; CHECK-LABEL: @of_double(
; CHECK: call spir_func double @_Z4exp2d(
define double @of_double(i32 %n) {
  %x = sitofp i32 %n to double
  %y = call spir_func double @_Z4exp2d(double %x)
  ret double %y
}

declare spir_func float @_Z3powff(float, float)
declare spir_func float @_Z4exp2f(float)
declare spir_func double @_Z4exp2d(double)
declare spir_func <2 x float> @_Z4exp2Dv2_f(<2 x float>)
declare spir_func <2 x float> @_Z14convert_float2Dv2_h(<2 x i8>)
