; SPDX-License-Identifier: Apache-2.0
; SPDX-FileCopyrightText: The Quern authors
; A condition of the program and a tail together are a mask like others. Each store has a test of its own.
; RUN: %quernc --passes=test-masked-stores %s | FileCheck %s

; CHECK-LABEL: @both(
; CHECK-COUNT-2: store <4 x float> %v, ptr %{{[pq]}}, align 4{{$}}
; CHECK-NOT: store <4 x float>
define void @both(<4 x float> %v, ptr %p, ptr %q, <4 x i1> %condition, i32 %left) {
  %one = insertelement <4 x i32> poison, i32 %left, i64 0
  %all = shufflevector <4 x i32> %one, <4 x i32> poison, <4 x i32> zeroinitializer
  %tail = icmp ugt <4 x i32> %all, <i32 0, i32 1, i32 2, i32 3>
  %on = and <4 x i1> %tail, %condition
  call void @llvm.masked.store.v4f32.p0(<4 x float> %v, ptr align 4 %p, <4 x i1> %on)
  call void @llvm.masked.store.v4f32.p0(<4 x float> %v, ptr align 4 %q, <4 x i1> %on)
  ret void
}
