; SPDX-License-Identifier: Apache-2.0
; SPDX-FileCopyrightText: The Quern authors
; The load stays where it is, also when its memory is stored to before the select.
; RUN: %quernc --passes="keep-masked-loads" %s | FileCheck %s

; CHECK-LABEL: @store_between(
; CHECK: %v = call <8 x i32> @llvm.masked.load.v8i32.p0(ptr align 4 %p, <8 x i1> %on, <8 x i32> %other)
; CHECK-NEXT: store <8 x i32> %other, ptr %p
; CHECK-NEXT: ret <8 x i32> %v
define <8 x i32> @store_between(ptr %p, <8 x i1> %on, <8 x i32> %other) {
  %v = call <8 x i32> @llvm.masked.load.v8i32.p0(ptr align 4 %p, <8 x i1> %on, <8 x i32> poison)
  store <8 x i32> %other, ptr %p
  %blend = select <8 x i1> %on, <8 x i32> %v, <8 x i32> %other
  ret <8 x i32> %blend
}
