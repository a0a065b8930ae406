; SPDX-License-Identifier: Apache-2.0
; SPDX-FileCopyrightText: The Quern authors
; Where infinities may be, a division by a root is no product with an estimate.
; RUN: %quernc --passes=forbid-reciprocal-estimates %s | FileCheck %s

; CHECK-LABEL: @root(
; CHECK: fdiv float %y, %root
define float @root(float %y, float %x) {
  %root = call float @llvm.sqrt.f32(float %x)
  %q = fdiv arcp float %y, %root
  ret float %q
}
