; SPDX-License-Identifier: Apache-2.0
; SPDX-FileCopyrightText: The Quern authors
; Without a pass of the target's before, whole registers are products too, on all machines.
; RUN: %quernc --passes=lower-ldexp %s | FileCheck %s
; RUN: env QUERN_CPU=haswell %quernc --passes=lower-ldexp %s | FileCheck %s

; CHECK-LABEL: @one(
; CHECK-COUNT-2: fmul <16 x float>
; CHECK-NOT: call
; CHECK: ret
define <16 x float> @one(<16 x float> %x, <16 x i32> %n) {
  %y = call <16 x float> @llvm.ldexp.v16f32.v16i32(<16 x float> %x, <16 x i32> %n)
  ret <16 x float> %y
}
