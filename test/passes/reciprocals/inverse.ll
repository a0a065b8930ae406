; SPDX-License-Identifier: Apache-2.0
; SPDX-FileCopyrightText: The Quern authors
; Inverses that may be off by 2.5 ulp come from the estimate, and so do inverse roots.
; RUN: %quernc --passes=reciprocals %s | FileCheck %s

; CHECK-LABEL: @inverse(
; CHECK: @llvm.x86.avx512.rcp14.ps.512(<16 x float> %x
; CHECK-NOT: fdiv
; CHECK: ret
define <16 x float> @inverse(<16 x float> %x) {
  %y = fdiv <16 x float> splat (float 1.0), %x, !fpmath !0
  ret <16 x float> %y
}

; CHECK-LABEL: @inverse_root(
; CHECK: @llvm.x86.avx512.rsqrt14.ps.512(<16 x float> %x
; CHECK-NOT: llvm.sqrt
; CHECK: ret
define <16 x float> @inverse_root(<16 x float> %x) {
  %root = call <16 x float> @llvm.sqrt.v16f32(<16 x float> %x)
  %y = fdiv <16 x float> splat (float 1.0), %root, !fpmath !0
  ret <16 x float> %y
}

; CHECK-LABEL: @two_registers(
; CHECK-COUNT-2: @llvm.x86.avx512.rcp14.ps.512(
define <32 x float> @two_registers(<32 x float> %x) {
  %y = fdiv <32 x float> splat (float 1.0), %x, !fpmath !0
  ret <32 x float> %y
}

!0 = !{float 2.5}
