; SPDX-License-Identifier: Apache-2.0
; SPDX-FileCopyrightText: The Quern authors
; An index that an address would extend the same way needs no extension.
; RUN: %quernc --passes=narrow-gather-indices %s | FileCheck %s

; CHECK-LABEL: @signed(
; CHECK-NOT: sext
; CHECK: getelementptr float, ptr %base, <16 x i32> %index
define <16 x float> @signed(ptr %base, <16 x i32> %index, <16 x i1> %on) {
  %wide = sext <16 x i32> %index to <16 x i64>
  %p = getelementptr float, ptr %base, <16 x i64> %wide
  %v = call <16 x float> @llvm.masked.gather.v16f32.v16p0(<16 x ptr> align 4 %p, <16 x i1> %on, <16 x float> poison)
  ret <16 x float> %v
}

; CHECK-LABEL: @not_negative(
; CHECK: getelementptr float, ptr %base, <16 x i32> %index
define <16 x float> @not_negative(ptr %base, <16 x i32> %index, <16 x i1> %on) {
  %wide = zext nneg <16 x i32> %index to <16 x i64>
  %p = getelementptr float, ptr %base, <16 x i64> %wide
  %v = call <16 x float> @llvm.masked.gather.v16f32.v16p0(<16 x ptr> align 4 %p, <16 x i1> %on, <16 x float> poison)
  ret <16 x float> %v
}
