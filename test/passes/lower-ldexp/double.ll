; SPDX-License-Identifier: Apache-2.0
; SPDX-FileCopyrightText: The Quern authors
; Doubles are not made so: exponents are those of floats.
; RUN: %quernc --passes=lower-ldexp %s | FileCheck %s

; CHECK-LABEL: @double(
; CHECK: call double @llvm.ldexp.f64.i32(
define double @double(double %x, i32 %n) {
  %y = call double @llvm.ldexp.f64.i32(double %x, i32 %n)
  ret double %y
}
