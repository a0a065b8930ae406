; SPDX-License-Identifier: Apache-2.0
; SPDX-FileCopyrightText: The Quern authors
; Twenty vectors live through a loop, and there are sixteen registers: half of them remain, the other loads go to their
; uses.
; RUN: env QUERN_CPU=nehalem %quernc --passes=rematerialize-loads %s | FileCheck %s

; CHECK-LABEL: @kernel(
; CHECK: %p0 = getelementptr
; CHECK-NOT: %s0 =
; CHECK: %s12 = load float
; CHECK: loop:
; CHECK: %s0 = load float, ptr addrspace(3) %p0
; CHECK-NEXT: %i0 = insertelement <4 x float> poison, float %s0, i64 0
; CHECK-NEXT: %v0 = shufflevector <4 x float> %i0,
; CHECK-NEXT: %x1 = fadd <4 x float> %x0, %v0
; CHECK: %v11 = shufflevector
; CHECK-NOT: load float
define void @kernel(ptr addrspace(1) noalias %a, ptr addrspace(3) noalias %b, i64 %n) {
entry:
  %p0 = getelementptr float, ptr addrspace(3) %b, i64 0
  %s0 = load float, ptr addrspace(3) %p0
  %i0 = insertelement <4 x float> poison, float %s0, i64 0
  %v0 = shufflevector <4 x float> %i0, <4 x float> poison, <4 x i32> zeroinitializer
  %p1 = getelementptr float, ptr addrspace(3) %b, i64 1
  %s1 = load float, ptr addrspace(3) %p1
  %i1 = insertelement <4 x float> poison, float %s1, i64 0
  %v1 = shufflevector <4 x float> %i1, <4 x float> poison, <4 x i32> zeroinitializer
  %p2 = getelementptr float, ptr addrspace(3) %b, i64 2
  %s2 = load float, ptr addrspace(3) %p2
  %i2 = insertelement <4 x float> poison, float %s2, i64 0
  %v2 = shufflevector <4 x float> %i2, <4 x float> poison, <4 x i32> zeroinitializer
  %p3 = getelementptr float, ptr addrspace(3) %b, i64 3
  %s3 = load float, ptr addrspace(3) %p3
  %i3 = insertelement <4 x float> poison, float %s3, i64 0
  %v3 = shufflevector <4 x float> %i3, <4 x float> poison, <4 x i32> zeroinitializer
  %p4 = getelementptr float, ptr addrspace(3) %b, i64 4
  %s4 = load float, ptr addrspace(3) %p4
  %i4 = insertelement <4 x float> poison, float %s4, i64 0
  %v4 = shufflevector <4 x float> %i4, <4 x float> poison, <4 x i32> zeroinitializer
  %p5 = getelementptr float, ptr addrspace(3) %b, i64 5
  %s5 = load float, ptr addrspace(3) %p5
  %i5 = insertelement <4 x float> poison, float %s5, i64 0
  %v5 = shufflevector <4 x float> %i5, <4 x float> poison, <4 x i32> zeroinitializer
  %p6 = getelementptr float, ptr addrspace(3) %b, i64 6
  %s6 = load float, ptr addrspace(3) %p6
  %i6 = insertelement <4 x float> poison, float %s6, i64 0
  %v6 = shufflevector <4 x float> %i6, <4 x float> poison, <4 x i32> zeroinitializer
  %p7 = getelementptr float, ptr addrspace(3) %b, i64 7
  %s7 = load float, ptr addrspace(3) %p7
  %i7 = insertelement <4 x float> poison, float %s7, i64 0
  %v7 = shufflevector <4 x float> %i7, <4 x float> poison, <4 x i32> zeroinitializer
  %p8 = getelementptr float, ptr addrspace(3) %b, i64 8
  %s8 = load float, ptr addrspace(3) %p8
  %i8 = insertelement <4 x float> poison, float %s8, i64 0
  %v8 = shufflevector <4 x float> %i8, <4 x float> poison, <4 x i32> zeroinitializer
  %p9 = getelementptr float, ptr addrspace(3) %b, i64 9
  %s9 = load float, ptr addrspace(3) %p9
  %i9 = insertelement <4 x float> poison, float %s9, i64 0
  %v9 = shufflevector <4 x float> %i9, <4 x float> poison, <4 x i32> zeroinitializer
  %p10 = getelementptr float, ptr addrspace(3) %b, i64 10
  %s10 = load float, ptr addrspace(3) %p10
  %i10 = insertelement <4 x float> poison, float %s10, i64 0
  %v10 = shufflevector <4 x float> %i10, <4 x float> poison, <4 x i32> zeroinitializer
  %p11 = getelementptr float, ptr addrspace(3) %b, i64 11
  %s11 = load float, ptr addrspace(3) %p11
  %i11 = insertelement <4 x float> poison, float %s11, i64 0
  %v11 = shufflevector <4 x float> %i11, <4 x float> poison, <4 x i32> zeroinitializer
  %p12 = getelementptr float, ptr addrspace(3) %b, i64 12
  %s12 = load float, ptr addrspace(3) %p12
  %i12 = insertelement <4 x float> poison, float %s12, i64 0
  %v12 = shufflevector <4 x float> %i12, <4 x float> poison, <4 x i32> zeroinitializer
  %p13 = getelementptr float, ptr addrspace(3) %b, i64 13
  %s13 = load float, ptr addrspace(3) %p13
  %i13 = insertelement <4 x float> poison, float %s13, i64 0
  %v13 = shufflevector <4 x float> %i13, <4 x float> poison, <4 x i32> zeroinitializer
  %p14 = getelementptr float, ptr addrspace(3) %b, i64 14
  %s14 = load float, ptr addrspace(3) %p14
  %i14 = insertelement <4 x float> poison, float %s14, i64 0
  %v14 = shufflevector <4 x float> %i14, <4 x float> poison, <4 x i32> zeroinitializer
  %p15 = getelementptr float, ptr addrspace(3) %b, i64 15
  %s15 = load float, ptr addrspace(3) %p15
  %i15 = insertelement <4 x float> poison, float %s15, i64 0
  %v15 = shufflevector <4 x float> %i15, <4 x float> poison, <4 x i32> zeroinitializer
  %p16 = getelementptr float, ptr addrspace(3) %b, i64 16
  %s16 = load float, ptr addrspace(3) %p16
  %i16 = insertelement <4 x float> poison, float %s16, i64 0
  %v16 = shufflevector <4 x float> %i16, <4 x float> poison, <4 x i32> zeroinitializer
  %p17 = getelementptr float, ptr addrspace(3) %b, i64 17
  %s17 = load float, ptr addrspace(3) %p17
  %i17 = insertelement <4 x float> poison, float %s17, i64 0
  %v17 = shufflevector <4 x float> %i17, <4 x float> poison, <4 x i32> zeroinitializer
  %p18 = getelementptr float, ptr addrspace(3) %b, i64 18
  %s18 = load float, ptr addrspace(3) %p18
  %i18 = insertelement <4 x float> poison, float %s18, i64 0
  %v18 = shufflevector <4 x float> %i18, <4 x float> poison, <4 x i32> zeroinitializer
  %p19 = getelementptr float, ptr addrspace(3) %b, i64 19
  %s19 = load float, ptr addrspace(3) %p19
  %i19 = insertelement <4 x float> poison, float %s19, i64 0
  %v19 = shufflevector <4 x float> %i19, <4 x float> poison, <4 x i32> zeroinitializer
  br label %loop
loop:
  %k = phi i64 [ 0, %entry ], [ %next, %loop ]
  %pa = getelementptr <4 x float>, ptr addrspace(1) %a, i64 %k
  %x0 = load <4 x float>, ptr addrspace(1) %pa
  %x1 = fadd <4 x float> %x0, %v0
  %x2 = fadd <4 x float> %x1, %v1
  %x3 = fadd <4 x float> %x2, %v2
  %x4 = fadd <4 x float> %x3, %v3
  %x5 = fadd <4 x float> %x4, %v4
  %x6 = fadd <4 x float> %x5, %v5
  %x7 = fadd <4 x float> %x6, %v6
  %x8 = fadd <4 x float> %x7, %v7
  %x9 = fadd <4 x float> %x8, %v8
  %x10 = fadd <4 x float> %x9, %v9
  %x11 = fadd <4 x float> %x10, %v10
  %x12 = fadd <4 x float> %x11, %v11
  %x13 = fadd <4 x float> %x12, %v12
  %x14 = fadd <4 x float> %x13, %v13
  %x15 = fadd <4 x float> %x14, %v14
  %x16 = fadd <4 x float> %x15, %v15
  %x17 = fadd <4 x float> %x16, %v16
  %x18 = fadd <4 x float> %x17, %v17
  %x19 = fadd <4 x float> %x18, %v18
  %x20 = fadd <4 x float> %x19, %v19
  store <4 x float> %x20, ptr addrspace(1) %pa
  %next = add i64 %k, 1
  %more = icmp ult i64 %next, %n
  br i1 %more, label %loop, label %exit
exit:
  ret void
}
