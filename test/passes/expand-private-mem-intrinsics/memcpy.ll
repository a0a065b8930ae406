; SPDX-License-Identifier: Apache-2.0
; SPDX-FileCopyrightText: The Quern authors
; Copies of a table to an array and of the array to memory: loads and stores of elements.
; RUN: %quernc --passes='function(expand-private-mem-intrinsics)' %s | FileCheck %s

@table = internal addrspace(2) constant [3 x i32] [i32 1, i32 2, i32 3]

; CHECK-LABEL: @copies(
; CHECK-NOT: call void @llvm.memcpy
; CHECK-COUNT-3: load i32, ptr addrspace(2) {{.*}}, align 4
; CHECK: load i32, ptr %p
; CHECK: [[VALUE:%.*]] = load i32, ptr %{{.*}}, align 4
; CHECK: store i32 [[VALUE]], ptr addrspace(1) %{{.*}}, align 1
; CHECK-NOT: call void @llvm.memcpy
; CHECK: ret i32
define i32 @copies(i64 %i, ptr addrspace(1) %out) {
  %array = alloca [3 x i32], align 4
  call void @llvm.memcpy.p0.p2.i64(ptr align 4 %array, ptr addrspace(2) align 4 @table, i64 12, i1 false)
  %p = getelementptr inbounds i32, ptr %array, i64 %i
  %x = load i32, ptr %p, align 4
  call void @llvm.memcpy.p1.p0.i64(ptr addrspace(1) align 1 %out, ptr align 4 %array, i64 12, i1 false)
  ret i32 %x
}

; Within one variable, and between two.
; CHECK-LABEL: @private(
; CHECK-NOT: call void @llvm.memcpy
; CHECK: ret i32
define i32 @private(i64 %i) {
  %array = alloca [8 x i32], align 4
  %other = alloca [4 x i32], align 4
  %q = getelementptr inbounds i32, ptr %other, i64 %i
  store i32 7, ptr %q, align 4
  %half = getelementptr inbounds i8, ptr %array, i64 16
  call void @llvm.memcpy.p0.p0.i64(ptr align 4 %array, ptr align 4 %half, i64 16, i1 false)
  call void @llvm.memcpy.p0.p0.i64(ptr align 4 %half, ptr align 4 %other, i64 16, i1 false)
  %p = getelementptr inbounds i32, ptr %array, i64 %i
  %x = load i32, ptr %p, align 4
  ret i32 %x
}

declare void @llvm.memcpy.p0.p2.i64(ptr, ptr addrspace(2), i64, i1)
declare void @llvm.memcpy.p1.p0.i64(ptr addrspace(1), ptr, i64, i1)
declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)
