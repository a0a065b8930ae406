; SPDX-License-Identifier: Apache-2.0
; SPDX-FileCopyrightText: The Quern authors
; The load takes the values of lanes that are off from the select.
; RUN: %quernc --passes=keep-masked-loads %s | FileCheck %s

; CHECK-LABEL: @blend(
; CHECK: %v = call <8 x i32> @llvm.masked.load.v8i32.p0(ptr align 4 %p, <8 x i1> %on, <8 x i32> %other)
; CHECK-NEXT: ret <8 x i32> %v
define <8 x i32> @blend(ptr %p, <8 x i1> %on, <8 x i32> %other) {
  %v = call <8 x i32> @llvm.masked.load.v8i32.p0(ptr align 4 %p, <8 x i1> %on, <8 x i32> poison)
  %blend = select <8 x i1> %on, <8 x i32> %v, <8 x i32> %other
  ret <8 x i32> %blend
}
