; SPDX-License-Identifier: Apache-2.0
; SPDX-FileCopyrightText: The Quern authors
; A mask of lanes and one of the gaps between their elements, and comparisons of repeated numbers.
; RUN: %quernc --passes=widen-masked-elements %s | FileCheck %s

; CHECK-LABEL: @strided(
; CHECK: [[LANES:%.*]] = shufflevector <2 x i1> %on, {{.*}}, <4 x i32> <i32 0, i32 0, i32 1, i32 1>
; CHECK: [[MASK:%.*]] = and <4 x i1> [[LANES]], <i1 true, i1 false, i1 true, i1 false>
; CHECK: call <4 x i32> @llvm.masked.load.v4i32.p0(ptr align 4 %p, <4 x i1> [[MASK]], <4 x i32> poison)
define <8 x half> @strided(ptr %p, <2 x i1> %on) {
  %lanes = shufflevector <2 x i1> %on, <2 x i1> poison, <8 x i32> <i32 0, i32 0, i32 0, i32 0, i32 1, i32 1, i32 1,
      i32 1>
  %each = and <8 x i1> %lanes, <i1 true, i1 true, i1 false, i1 false, i1 true, i1 true, i1 false, i1 false>
  %x = call <8 x half> @llvm.masked.load.v8f16.p0(ptr align 4 %p, <8 x i1> %each, <8 x half> poison)
  ret <8 x half> %x
}

; CHECK-LABEL: @compared(
; CHECK: [[MASK:%.*]] = icmp ult <2 x i64> %lane, <i64 3, i64 5>
; CHECK: call void @llvm.masked.store.v2i32.p0(<2 x i32> {{%.*}}, ptr align 2 %p, <2 x i1> [[MASK]])
define void @compared(ptr %p, <2 x i64> %lane, <4 x i16> %x) {
  %each = shufflevector <2 x i64> %lane, <2 x i64> poison, <4 x i32> <i32 0, i32 0, i32 1, i32 1>
  %on = icmp ult <4 x i64> %each, <i64 3, i64 3, i64 5, i64 5>
  call void @llvm.masked.store.v4i16.p0(<4 x i16> %x, ptr align 2 %p, <4 x i1> %on)
  ret void
}

; CHECK-LABEL: @constant(
; CHECK: call <2 x i32> @llvm.masked.load.v2i32.p0(ptr align 2 %p, <2 x i1> <i1 true, i1 false>, <2 x i32> poison)
define <4 x i16> @constant(ptr %p) {
  %x = call <4 x i16> @llvm.masked.load.v4i16.p0(ptr align 2 %p, <4 x i1> <i1 true, i1 true, i1 false, i1 false>,
      <4 x i16> poison)
  ret <4 x i16> %x
}

declare <8 x half> @llvm.masked.load.v8f16.p0(ptr, <8 x i1>, <8 x half>)
declare <4 x i16> @llvm.masked.load.v4i16.p0(ptr, <4 x i1>, <4 x i16>)
declare void @llvm.masked.store.v4i16.p0(<4 x i16>, ptr, <4 x i1>)
