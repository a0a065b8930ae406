; SPDX-License-Identifier: Apache-2.0
; SPDX-FileCopyrightText: The Quern authors
; An array that begins as zeros, or as bytes of another value, and is indexed: stores of its elements, in a loop when
; there are more than 64.
; RUN: %quernc --passes='function(expand-private-mem-intrinsics)' %s | FileCheck %s

; CHECK-LABEL: @straight(
; CHECK-NOT: call void @llvm.memset
; CHECK-COUNT-4: store i32 16843009, ptr %{{.*}}, align 4
; CHECK-NOT: store i32 16843009
; CHECK: store float
define float @straight(i64 %i, i64 %j, float %x) {
  %array = alloca [4 x float], align 4
  call void @llvm.lifetime.start.p0(ptr %array)
  call void @llvm.memset.p0.i64(ptr align 4 %array, i8 1, i64 16, i1 false)
  %p = getelementptr inbounds float, ptr %array, i64 %i
  store float %x, ptr %p, align 4
  %q = getelementptr inbounds float, ptr %array, i64 %j
  %y = load float, ptr %q, align 4
  call void @llvm.lifetime.end.p0(ptr %array)
  ret float %y
}

; CHECK-LABEL: @loop(
; CHECK-NOT: call void @llvm.memset
; CHECK: [[INDEX:%.*]] = phi i64
; CHECK: [[AT:%.*]] = getelementptr inbounds i16, ptr %from, i64 [[INDEX]]
; CHECK: store i16 0, ptr [[AT]], align 2
; CHECK: icmp eq i64 {{.*}}, 120
define i16 @loop(i64 %i) {
  %array = alloca [200 x i16], align 2
  %from = getelementptr i8, ptr %array, i64 160
  call void @llvm.memset.p0.i64(ptr align 2 %from, i8 0, i64 240, i1 false)
  %p = getelementptr inbounds i16, ptr %array, i64 %i
  %x = load i16, ptr %p, align 2
  ret i16 %x
}

declare void @llvm.lifetime.start.p0(ptr)
declare void @llvm.lifetime.end.p0(ptr)
declare void @llvm.memset.p0.i64(ptr, i8, i64, i1)
