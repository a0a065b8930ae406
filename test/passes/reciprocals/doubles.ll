; SPDX-License-Identifier: Apache-2.0
; SPDX-FileCopyrightText: The Quern authors
; Inverse roots of doubles that may be products come from the estimate, by two steps. Others, and inverses, stay.
; RUN: %quernc --passes=reciprocals %s | FileCheck %s

; CHECK-LABEL: @inverse_root(
; CHECK: %[[Y:.*]] = call <8 x double> @llvm.x86.avx512.rsqrt14.pd.512(<8 x double> %x
; CHECK-COUNT-5: @llvm.fma.v8f64
; CHECK: select <8 x i1> %{{.*}}, <8 x double> %{{.*}}, <8 x double> %[[Y]]
; CHECK-NOT: {{fdiv|llvm.sqrt}}
; CHECK: ret
define <8 x double> @inverse_root(<8 x double> %x) {
  %root = call arcp <8 x double> @llvm.sqrt.v8f64(<8 x double> %x)
  %y = fdiv arcp <8 x double> splat (double 1.0), %root
  ret <8 x double> %y
}

; CHECK-LABEL: @two_registers(
; CHECK-COUNT-2: @llvm.x86.avx512.rsqrt14.pd.512(
; CHECK-NOT: fdiv
; CHECK: ret
define <16 x double> @two_registers(<16 x double> %x) {
  %root = call arcp <16 x double> @llvm.sqrt.v16f64(<16 x double> %x)
  %y = fdiv arcp <16 x double> splat (double 1.0), %root
  ret <16 x double> %y
}

; CHECK-LABEL: @exact(
; CHECK: fdiv <8 x double>
define <8 x double> @exact(<8 x double> %x) {
  %root = call <8 x double> @llvm.sqrt.v8f64(<8 x double> %x)
  %y = fdiv <8 x double> splat (double 1.0), %root
  ret <8 x double> %y
}

; CHECK-LABEL: @inverse(
; CHECK: fdiv arcp <8 x double>
define <8 x double> @inverse(<8 x double> %x) {
  %y = fdiv arcp <8 x double> splat (double 1.0), %x
  ret <8 x double> %y
}

; CHECK-LABEL: @quotient(
; CHECK: fdiv ninf arcp <8 x double>
define <8 x double> @quotient(<8 x double> %x, <8 x double> %z) {
  %root = call arcp <8 x double> @llvm.sqrt.v8f64(<8 x double> %x)
  %y = fdiv arcp ninf <8 x double> %z, %root
  ret <8 x double> %y
}

; CHECK-LABEL: @half_register(
; CHECK: fdiv arcp <4 x double>
define <4 x double> @half_register(<4 x double> %x) {
  %root = call arcp <4 x double> @llvm.sqrt.v4f64(<4 x double> %x)
  %y = fdiv arcp <4 x double> splat (double 1.0), %root
  ret <4 x double> %y
}
