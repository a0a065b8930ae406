; SPDX-License-Identifier: Apache-2.0
; SPDX-FileCopyrightText: The Quern authors
; Without infinities it may be, and a division by anything else keeps its flags.
; RUN: %quernc --passes=forbid-reciprocal-estimates %s | FileCheck %s

; CHECK-LABEL: @no_infinities(
; CHECK: fdiv ninf arcp float %y, %root
define float @no_infinities(float %y, float %x) {
  %root = call float @llvm.sqrt.f32(float %x)
  %q = fdiv arcp ninf float %y, %root
  ret float %q
}

; CHECK-LABEL: @no_root(
; CHECK: fdiv arcp float %y, %x
define float @no_root(float %y, float %x) {
  %q = fdiv arcp float %y, %x
  ret float %q
}
