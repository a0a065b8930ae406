; SPDX-License-Identifier: Apache-2.0
; SPDX-FileCopyrightText: The Quern authors
; Steps that code generation relies on come last.
; RUN: %quernc --passes=optimize-final %s | FileCheck %s

; CHECK-LABEL: @f(
; CHECK: call half @llvm.roundeven.f16
; CHECK-NOT: llvm.ldexp
; CHECK: ret
define half @f(half %x, float %y, i32 %n, ptr %out) {
  %z = call float @llvm.ldexp.f32.i32(float %y, i32 %n)
  store float %z, ptr %out
  %r = call half @llvm.rint.f16(half %x)
  ret half %r
}
