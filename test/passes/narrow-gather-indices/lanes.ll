; SPDX-License-Identifier: Apache-2.0
; SPDX-FileCopyrightText: The Quern authors
; One lane of the extended index is extended alone; what is no gather keeps its index.
; RUN: %quernc --passes=narrow-gather-indices %s | FileCheck %s

; CHECK-LABEL: @lane(
; CHECK: %[[NARROW:[0-9]+]] = extractelement <16 x i32> %index, i64 0
; CHECK: sext i32 %[[NARROW]] to i64
define i64 @lane(ptr %base, <16 x i32> %index, <16 x i1> %on, ptr %out) {
  %wide = sext <16 x i32> %index to <16 x i64>
  %p = getelementptr float, ptr %base, <16 x i64> %wide
  %v = call <16 x float> @llvm.masked.gather.v16f32.v16p0(<16 x ptr> align 4 %p, <16 x i1> %on, <16 x float> poison)
  store <16 x float> %v, ptr %out
  %first = extractelement <16 x i64> %wide, i64 0
  ret i64 %first
}

; CHECK-LABEL: @no_gather(
; CHECK: getelementptr float, ptr %base, <16 x i64> %wide
define <16 x ptr> @no_gather(ptr %base, <16 x i32> %index) {
  %wide = sext <16 x i32> %index to <16 x i64>
  %p = getelementptr float, ptr %base, <16 x i64> %wide
  ret <16 x ptr> %p
}
