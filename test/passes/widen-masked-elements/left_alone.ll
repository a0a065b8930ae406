; SPDX-License-Identifier: Apache-2.0
; SPDX-FileCopyrightText: The Quern authors
; Neighbours with masks of their own, elements that are wide enough, and stores under constants.
; RUN: %quernc --passes=widen-masked-elements %s | FileCheck %s

; CHECK-NOT: bitcast
; CHECK-NOT: freeze
define <4 x i16> @own(ptr %p, <4 x i1> %on) {
  %x = call <4 x i16> @llvm.masked.load.v4i16.p0(ptr align 2 %p, <4 x i1> %on, <4 x i16> poison)
  ret <4 x i16> %x
}

define <4 x i16> @other_neighbors(ptr %p, <4 x i1> %on) {
  %each = shufflevector <4 x i1> %on, <4 x i1> poison, <4 x i32> <i32 0, i32 1, i32 1, i32 2>
  %x = call <4 x i16> @llvm.masked.load.v4i16.p0(ptr align 2 %p, <4 x i1> %each, <4 x i16> poison)
  ret <4 x i16> %x
}

; Three components of 16 bits are no power of two, and their masks are not those of pairs.
define <6 x i16> @three(ptr %p, <2 x i1> %on) {
  %each = shufflevector <2 x i1> %on, <2 x i1> poison, <6 x i32> <i32 0, i32 0, i32 0, i32 1, i32 1, i32 1>
  %x = call <6 x i16> @llvm.masked.load.v6i16.p0(ptr align 2 %p, <6 x i1> %each, <6 x i16> poison)
  ret <6 x i16> %x
}

define void @wide(ptr %p, <2 x i1> %on, <4 x i32> %x) {
  %each = shufflevector <2 x i1> %on, <2 x i1> poison, <4 x i32> <i32 0, i32 0, i32 1, i32 1>
  call void @llvm.masked.store.v4i32.p0(<4 x i32> %x, ptr align 4 %p, <4 x i1> %each)
  ret void
}

define void @constant(ptr %p, <4 x i16> %x) {
  call void @llvm.masked.store.v4i16.p0(<4 x i16> %x, ptr align 2 %p, <4 x i1> <i1 true, i1 true, i1 false, i1 false>)
  ret void
}
; CHECK-LABEL: declare

declare <4 x i16> @llvm.masked.load.v4i16.p0(ptr, <4 x i1>, <4 x i16>)
declare <6 x i16> @llvm.masked.load.v6i16.p0(ptr, <6 x i1>, <6 x i16>)
declare void @llvm.masked.store.v4i32.p0(<4 x i32>, ptr, <4 x i1>)
declare void @llvm.masked.store.v4i16.p0(<4 x i16>, ptr, <4 x i1>)
