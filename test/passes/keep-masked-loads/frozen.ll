; SPDX-License-Identifier: Apache-2.0
; SPDX-FileCopyrightText: The Quern authors
; No other select sees the load: its mask is another one, or its value comes behind the load.
; RUN: %quernc --passes=keep-masked-loads %s | FileCheck %s

; CHECK-LABEL: @other_mask(
; CHECK: %[[KEPT:[0-9]+]] = freeze <8 x i32> %v
; CHECK: select <8 x i1> %others, <8 x i32> %[[KEPT]]
define <8 x i32> @other_mask(ptr %p, <8 x i1> %on, <8 x i1> %others, <8 x i32> %other) {
  %v = call <8 x i32> @llvm.masked.load.v8i32.p0(ptr align 4 %p, <8 x i1> %on, <8 x i32> poison)
  %blend = select <8 x i1> %others, <8 x i32> %v, <8 x i32> %other
  ret <8 x i32> %blend
}

; CHECK-LABEL: @behind(
; CHECK: <8 x i32> poison)
; CHECK: freeze <8 x i32> %v
define <8 x i32> @behind(ptr %p, ptr %q, <8 x i1> %on) {
  %v = call <8 x i32> @llvm.masked.load.v8i32.p0(ptr align 4 %p, <8 x i1> %on, <8 x i32> poison)
  %other = load <8 x i32>, ptr %q
  %blend = select <8 x i1> %on, <8 x i32> %v, <8 x i32> %other
  ret <8 x i32> %blend
}
