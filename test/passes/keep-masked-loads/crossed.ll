; SPDX-License-Identifier: Apache-2.0
; SPDX-FileCopyrightText: The Quern authors
; The load is the select's other side, or has values for the other lanes already and is used elsewhere.
; RUN: %quernc --passes=keep-masked-loads %s | FileCheck %s

; CHECK-LABEL: @other_side(
; CHECK: <8 x i32> poison)
; CHECK: freeze
define <8 x i32> @other_side(ptr %p, <8 x i1> %on, <8 x i32> %other) {
  %v = call <8 x i32> @llvm.masked.load.v8i32.p0(ptr align 4 %p, <8 x i1> %on, <8 x i32> poison)
  %blend = select <8 x i1> %on, <8 x i32> %other, <8 x i32> %v
  ret <8 x i32> %blend
}

; CHECK-LABEL: @used_elsewhere(
; CHECK: <8 x i32> zeroinitializer)
; CHECK: freeze
define <8 x i32> @used_elsewhere(ptr %p, ptr %q, <8 x i1> %on, <8 x i32> %other) {
  %v = call <8 x i32> @llvm.masked.load.v8i32.p0(ptr align 4 %p, <8 x i1> %on, <8 x i32> zeroinitializer)
  store <8 x i32> %v, ptr %q
  %blend = select <8 x i1> %on, <8 x i32> %v, <8 x i32> %other
  ret <8 x i32> %blend
}
