; SPDX-License-Identifier: Apache-2.0
; SPDX-FileCopyrightText: The Quern authors
; What does not fill registers of floats is left to lower-ldexp.
; RUN: %quernc --passes=ldexp-to-scalef %s | FileCheck %s

; CHECK-NOT: scalef
; CHECK-LABEL: @scalar(
; CHECK: call float @llvm.ldexp.f32.i32(
define float @scalar(float %x, i32 %n) {
  %y = call float @llvm.ldexp.f32.i32(float %x, i32 %n)
  ret float %y
}

; CHECK-LABEL: @half_register(
; CHECK: call <8 x float> @llvm.ldexp.v8f32.v8i32(
define <8 x float> @half_register(<8 x float> %x, <8 x i32> %n) {
  %y = call <8 x float> @llvm.ldexp.v8f32.v8i32(<8 x float> %x, <8 x i32> %n)
  ret <8 x float> %y
}

; CHECK-LABEL: @doubles(
; CHECK: call <16 x double> @llvm.ldexp.v16f64.v16i32(
define <16 x double> @doubles(<16 x double> %x, <16 x i32> %n) {
  %y = call <16 x double> @llvm.ldexp.v16f64.v16i32(<16 x double> %x, <16 x i32> %n)
  ret <16 x double> %y
}
; CHECK-NOT: scalef
