; SPDX-License-Identifier: Apache-2.0
; SPDX-FileCopyrightText: The Quern authors
; Exponents are converted once, before the vector is divided into registers.
; RUN: %quernc --passes=ldexp-to-scalef %s | FileCheck %s

; CHECK-LABEL: @slices(
; CHECK: %[[EXPONENTS:.*]] = sitofp <48 x i32> %n to <48 x float>
; CHECK-NOT: sitofp
; CHECK-COUNT-3: scalef.ps.512(
; CHECK: ret <48 x float>
define <48 x float> @slices(<48 x float> %x, <48 x i32> %n) {
  %y = call <48 x float> @llvm.ldexp.v48f32.v48i32(<48 x float> %x, <48 x i32> %n)
  ret <48 x float> %y
}
