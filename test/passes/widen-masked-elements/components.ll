; SPDX-License-Identifier: Apache-2.0
; SPDX-FileCopyrightText: The Quern authors
; The components of a work-item's vector have one mask: they are loaded and stored as one element.
; RUN: %quernc --passes=widen-masked-elements %s | FileCheck %s

; CHECK-LABEL: @pixels(
; CHECK: [[X:%.*]] = call <4 x i32> @llvm.masked.load.v4i32.p0(ptr align 1 %p, <4 x i1> %on, <4 x i32> poison)
; CHECK: [[BYTES:%.*]] = bitcast <4 x i32> [[X]] to <16 x i8>
; CHECK: add <16 x i8> [[BYTES]]
; CHECK: call void @llvm.masked.store.v4i32.p0(<4 x i32> {{%.*}}, ptr align 1 %q, <4 x i1> %on)
define void @pixels(ptr %p, ptr %q, <4 x i1> %on) {
  %each = shufflevector <4 x i1> %on, <4 x i1> poison, <16 x i32> <i32 0, i32 0, i32 0, i32 0, i32 1, i32 1, i32 1,
      i32 1, i32 2, i32 2, i32 2, i32 2, i32 3, i32 3, i32 3, i32 3>
  %x = call <16 x i8> @llvm.masked.load.v16i8.p0(ptr align 1 %p, <16 x i1> %each, <16 x i8> poison)
  %y = add <16 x i8> %x, splat (i8 1)
  call void @llvm.masked.store.v16i8.p0(<16 x i8> %y, ptr align 1 %q, <16 x i1> %each)
  ret void
}

; Four halves of a work-item are 64 bits.
; CHECK-LABEL: @halves(
; CHECK: call <2 x i64> @llvm.masked.load.v2i64.p0(ptr align 2 %p, <2 x i1> %on, <2 x i64> {{%.*}})
define <8 x half> @halves(ptr %p, <2 x i1> %on, <8 x half> %rest) {
  %each = shufflevector <2 x i1> %on, <2 x i1> poison, <8 x i32> <i32 0, i32 0, i32 0, i32 0, i32 1, i32 1, i32 1,
      i32 1>
  %x = call <8 x half> @llvm.masked.load.v8f16.p0(ptr align 2 %p, <8 x i1> %each, <8 x half> %rest)
  ret <8 x half> %x
}

declare <16 x i8> @llvm.masked.load.v16i8.p0(ptr, <16 x i1>, <16 x i8>)
declare void @llvm.masked.store.v16i8.p0(<16 x i8>, ptr, <16 x i1>)
declare <8 x half> @llvm.masked.load.v8f16.p0(ptr, <8 x i1>, <8 x half>)
