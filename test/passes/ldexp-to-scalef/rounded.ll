; SPDX-License-Identifier: Apache-2.0
; SPDX-FileCopyrightText: The Quern authors
; Exponents that come from a sum that rounds are not converted: a difference gives them as floats.
; RUN: %quernc --passes=ldexp-to-scalef %s | FileCheck %s

; CHECK-LABEL: @rounded(
; CHECK: %sum = fadd <16 x float>
; CHECK: %[[EXPONENTS:.*]] = fsub <16 x float> %sum, splat (float 0x4168000000000000)
; CHECK-NOT: sitofp
; CHECK: scalef.ps.512(<16 x float> %x, <16 x float> %[[EXPONENTS]]
define <16 x float> @rounded(<16 x float> %x, <16 x float> %e) {
  %sum = fadd <16 x float> %e, splat (float 0x4168000000000000)
  %bits = bitcast <16 x float> %sum to <16 x i32>
  %n = add <16 x i32> %bits, splat (i32 -1262485504)
  %y = call <16 x float> @llvm.ldexp.v16f32.v16i32(<16 x float> %x, <16 x i32> %n)
  ret <16 x float> %y
}

; Another sum is converted.
; CHECK-LABEL: @shifted(
; CHECK: %[[CONVERTED:.*]] = sitofp <16 x i32> %n to <16 x float>
; CHECK: scalef.ps.512(<16 x float> %x, <16 x float> %[[CONVERTED]]
define <16 x float> @shifted(<16 x float> %x, <16 x float> %e) {
  %bits = bitcast <16 x float> %e to <16 x i32>
  %n = add <16 x i32> %bits, splat (i32 -1262485505)
  %y = call <16 x float> @llvm.ldexp.v16f32.v16i32(<16 x float> %x, <16 x i32> %n)
  ret <16 x float> %y
}
