; SPDX-License-Identifier: Apache-2.0
; SPDX-FileCopyrightText: The Quern authors
; A quotient comes from the estimate only with arcp, and without infinities. Where there are some all the same, the
; refinement is NaN, and the estimate stays.
; RUN: %quernc --passes=reciprocals %s | FileCheck %s

; CHECK-LABEL: @loose(
; CHECK: [[RECIPROCAL:%.*]] = call <16 x float> @llvm.x86.avx512.rcp14.ps.512(
; CHECK: [[ESTIMATE:%.*]] = fmul <16 x float> %y, [[RECIPROCAL]]
; CHECK: [[REFINED:%.*]] = call <16 x float> @llvm.fma.{{.*}}[[RECIPROCAL]], {{.*}}[[ESTIMATE]])
; CHECK: [[VALID:%.*]] = fcmp ord <16 x float> [[REFINED]], [[REFINED]]
; CHECK: select <16 x i1> [[VALID]], <16 x float> [[REFINED]], <16 x float> [[ESTIMATE]]
define <16 x float> @loose(<16 x float> %y, <16 x float> %x) {
  %q = fdiv arcp ninf <16 x float> %y, %x
  ret <16 x float> %q
}

; CHECK-LABEL: @may_be_infinite(
; CHECK: fdiv arcp <16 x float> %y, %x
define <16 x float> @may_be_infinite(<16 x float> %y, <16 x float> %x) {
  %q = fdiv arcp <16 x float> %y, %x
  ret <16 x float> %q
}

; CHECK-LABEL: @within_2.5_ulp(
; CHECK: fdiv <16 x float> %y, %x, !fpmath
define <16 x float> @within_2.5_ulp(<16 x float> %y, <16 x float> %x) {
  %q = fdiv <16 x float> %y, %x, !fpmath !0
  ret <16 x float> %q
}

!0 = !{float 2.5}
