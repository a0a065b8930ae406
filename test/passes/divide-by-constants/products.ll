; SPDX-License-Identifier: Apache-2.0
; SPDX-FileCopyrightText: The Quern authors
; A quotient by a constant is a product with both parts of its inverse, which have the same sign.
; RUN: %quernc --passes=divide-by-constants %s | FileCheck %s

; CHECK-LABEL: @by_three(
; CHECK: [[REST:%.*]] = fmul float %x, 0x3E55555560000000
; CHECK: %q = call float @llvm.fma.f32(float %x, float 0x3FD5555540000000, float [[REST]])
; CHECK: ret float %q
define float @by_three(float %x) {
  %q = fdiv float %x, 3.0, !fpmath !0
  ret float %q
}

; CHECK-LABEL: @by_negative(
; CHECK: [[REST:%.*]] = fmul nnan <4 x float> %x, splat (float 0xBDF0101000000000)
; CHECK: call nnan <4 x float> @llvm.fma.v4f32(<4 x float> %x, {{.*}} splat (float 0xBF{{.*}}), <4 x float> [[REST]])
define <4 x float> @by_negative(<4 x float> %x) {
  %q = fdiv nnan reassoc <4 x float> %x, splat (float -255.0), !fpmath !0
  ret <4 x float> %q
}

!0 = !{float 2.5}
