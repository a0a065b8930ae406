; SPDX-License-Identifier: Apache-2.0
; SPDX-FileCopyrightText: The Quern authors
; It is two products.
; RUN: %quernc --passes=lower-ldexp %s | FileCheck %s

; CHECK-LABEL: @scalar(
; CHECK: ashr i32 %n, 1
; CHECK: add i32 %{{[0-9]+}}, 127
; CHECK: shl i32
; CHECK: fmul float %x
; CHECK: fmul float
; CHECK-NOT: llvm.ldexp
; CHECK: ret float
define float @scalar(float %x, i32 %n) {
  %y = call float @llvm.ldexp.f32.i32(float %x, i32 %n)
  ret float %y
}

; CHECK-LABEL: @half_register(
; CHECK: fmul <8 x float>
; CHECK: fmul <8 x float>
define <8 x float> @half_register(<8 x float> %x, <8 x i32> %n) {
  %y = call <8 x float> @llvm.ldexp.v8f32.v8i32(<8 x float> %x, <8 x i32> %n)
  ret <8 x float> %y
}
