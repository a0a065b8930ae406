; SPDX-License-Identifier: Apache-2.0
; SPDX-FileCopyrightText: The Quern authors
; Whole registers are scaled by the instruction of AVX-512. In the pipeline it is for machines that have it.
; RUN: %quernc --passes=ldexp-to-scalef %s | FileCheck %s
; RUN: %quernc --passes=optimize-final %s | FileCheck %s
; RUN: env QUERN_CPU=haswell %quernc --passes=optimize-final %s | FileCheck %s --check-prefix=PRODUCTS

; PRODUCTS-NOT: scalef
; CHECK-LABEL: @one(
; CHECK: call <16 x float> @llvm.x86.avx512.mask.scalef.ps.512(
; PRODUCTS-LABEL: @one(
; PRODUCTS-COUNT-2: fmul <16 x float>
define <16 x float> @one(<16 x float> %x, <16 x i32> %n) {
  %y = call <16 x float> @llvm.ldexp.v16f32.v16i32(<16 x float> %x, <16 x i32> %n)
  ret <16 x float> %y
}

; CHECK-LABEL: @two(
; CHECK-COUNT-2: call <16 x float> @llvm.x86.avx512.mask.scalef.ps.512(
define <32 x float> @two(<32 x float> %x, <32 x i32> %n) {
  %y = call <32 x float> @llvm.ldexp.v32f32.v32i32(<32 x float> %x, <32 x i32> %n)
  ret <32 x float> %y
}
; PRODUCTS-NOT: scalef
