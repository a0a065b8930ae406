; SPDX-License-Identifier: Apache-2.0
; SPDX-FileCopyrightText: The Quern authors
; Variables that could not be interleaved stay as they are: elements of two sizes, an address that is stored, a length
; that is not known, a volatile fill, a part of an element, and pointers.
; RUN: %quernc --passes='function(expand-private-mem-intrinsics)' %s | FileCheck %s
; CHECK-COUNT-6: call void @llvm.memset
; CHECK-NOT: call void @llvm.memset.p0.i64(

define i16 @sizes(i64 %i) {
  %array = alloca [8 x i32], align 4
  call void @llvm.memset.p0.i64(ptr align 4 %array, i8 0, i64 32, i1 false)
  %p = getelementptr inbounds i32, ptr %array, i64 %i
  store i32 1, ptr %p, align 4
  %q = getelementptr inbounds i16, ptr %array, i64 %i
  %x = load i16, ptr %q, align 2
  ret i16 %x
}

define i32 @escape(i64 %i, ptr %out) {
  %array = alloca [8 x i32], align 4
  call void @llvm.memset.p0.i64(ptr align 4 %array, i8 0, i64 32, i1 false)
  store ptr %array, ptr %out
  %p = getelementptr inbounds i32, ptr %array, i64 %i
  %x = load i32, ptr %p, align 4
  ret i32 %x
}

define i32 @length(i64 %i, i64 %n) {
  %array = alloca [8 x i32], align 4
  call void @llvm.memset.p0.i64(ptr align 4 %array, i8 0, i64 %n, i1 false)
  %p = getelementptr inbounds i32, ptr %array, i64 %i
  %x = load i32, ptr %p, align 4
  ret i32 %x
}

define i32 @volatile(i64 %i) {
  %array = alloca [8 x i32], align 4
  call void @llvm.memset.p0.i64(ptr align 4 %array, i8 0, i64 32, i1 true)
  %p = getelementptr inbounds i32, ptr %array, i64 %i
  %x = load i32, ptr %p, align 4
  ret i32 %x
}

define i32 @part(i64 %i) {
  %array = alloca [8 x i32], align 4
  call void @llvm.memset.p0.i64(ptr align 4 %array, i8 0, i64 30, i1 false)
  %p = getelementptr inbounds i32, ptr %array, i64 %i
  %x = load i32, ptr %p, align 4
  ret i32 %x
}

define ptr @pointers(i64 %i) {
  %array = alloca [4 x ptr], align 8
  call void @llvm.memset.p0.i64(ptr align 8 %array, i8 0, i64 32, i1 false)
  %p = getelementptr inbounds ptr, ptr %array, i64 %i
  %x = load ptr, ptr %p, align 8
  ret ptr %x
}

declare void @llvm.memset.p0.i64(ptr, i8, i64, i1)
