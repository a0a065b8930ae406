; SPDX-License-Identifier: Apache-2.0
; SPDX-FileCopyrightText: The Quern authors
; An index that may be negative as one of 32 bits stays extended.
; RUN: %quernc --passes=narrow-gather-indices %s | FileCheck %s

; CHECK-LABEL: @unsigned(
; CHECK: %wide = zext <16 x i32> %index to <16 x i64>
; CHECK: getelementptr float, ptr %base, <16 x i64> %wide
define <16 x float> @unsigned(ptr %base, <16 x i32> %index, <16 x i1> %on) {
  %wide = zext <16 x i32> %index to <16 x i64>
  %p = getelementptr float, ptr %base, <16 x i64> %wide
  %v = call <16 x float> @llvm.masked.gather.v16f32.v16p0(<16 x ptr> align 4 %p, <16 x i1> %on, <16 x float> poison)
  ret <16 x float> %v
}
