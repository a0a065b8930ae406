; SPDX-License-Identifier: Apache-2.0
; SPDX-FileCopyrightText: The Quern authors
; Other types round by instructions that do.
; RUN: %quernc --passes=round-halves-to-even %s | FileCheck %s

; CHECK-LABEL: @float(
; CHECK: call float @llvm.rint.f32(float %x)
define float @float(float %x) {
  %y = call float @llvm.rint.f32(float %x)
  ret float %y
}
