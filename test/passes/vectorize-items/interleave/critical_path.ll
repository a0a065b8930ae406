; SPDX-License-Identifier: Apache-2.0
; SPDX-FileCopyrightText: The Quern authors
; A body without loops that waits for its critical path: two vectors in one iteration. What is stored may be larger than
; the caches, and has a loop of its own, as without interleaving.
; RUN: %quernc --passes=vectorize-items %s | FileCheck %s

; CHECK-LABEL: @polynomial(
; CHECK: store <8 x float> %{{.*}}, !nontemporal
; CHECK: call <16 x float> @llvm.fma.v16f32
; CHECK: store <16 x float>
; CHECK: call void @llvm.masked.store.v8f32
; CHECK: "quern-plans"="VF=8, IC=2, {{.*}}non-temporal stores=1
define void @polynomial(ptr addrspace(1) noalias %out, ptr "quern-ndrange" %ndrange, i64 %count) {
entry:
  br label %items
items:
  %item = phi i64 [ 0, %entry ], [ %item.next, %items ]
  %word = trunc i64 %item to i32
  %x = uitofp i32 %word to float
  %s0 = call float @llvm.fma.f32(float %x, float %x, float 1.0)
  %s1 = call float @llvm.fma.f32(float %s0, float %x, float 2.0)
  %s2 = call float @llvm.fma.f32(float %s1, float %x, float 3.0)
  %s3 = call float @llvm.fma.f32(float %s2, float %x, float 4.0)
  %s4 = call float @llvm.fma.f32(float %s3, float %x, float 5.0)
  %s5 = call float @llvm.fma.f32(float %s4, float %x, float 6.0)
  %s6 = call float @llvm.fma.f32(float %s5, float %x, float 7.0)
  %s7 = call float @llvm.fma.f32(float %s6, float %x, float 8.0)
  %s8 = call float @llvm.fma.f32(float %s7, float %x, float 9.0)
  %s9 = call float @llvm.fma.f32(float %s8, float %x, float 10.0)
  %s10 = call float @llvm.fma.f32(float %s9, float %x, float 11.0)
  %s11 = call float @llvm.fma.f32(float %s10, float %x, float 12.0)
  %s12 = call float @llvm.fma.f32(float %s11, float %x, float 13.0)
  %s13 = call float @llvm.fma.f32(float %s12, float %x, float 14.0)
  %s14 = call float @llvm.fma.f32(float %s13, float %x, float 15.0)
  %s15 = call float @llvm.fma.f32(float %s14, float %x, float 16.0)
  %s16 = call float @llvm.fma.f32(float %s15, float %x, float 17.0)
  %s17 = call float @llvm.fma.f32(float %s16, float %x, float 18.0)
  %s18 = call float @llvm.fma.f32(float %s17, float %x, float 19.0)
  %s19 = call float @llvm.fma.f32(float %s18, float %x, float 20.0)
  %s20 = call float @llvm.fma.f32(float %s19, float %x, float 21.0)
  %s21 = call float @llvm.fma.f32(float %s20, float %x, float 22.0)
  %s22 = call float @llvm.fma.f32(float %s21, float %x, float 23.0)
  %s23 = call float @llvm.fma.f32(float %s22, float %x, float 24.0)
  %s24 = call float @llvm.fma.f32(float %s23, float %x, float 25.0)
  %s25 = call float @llvm.fma.f32(float %s24, float %x, float 26.0)
  %s26 = call float @llvm.fma.f32(float %s25, float %x, float 27.0)
  %s27 = call float @llvm.fma.f32(float %s26, float %x, float 28.0)
  %s28 = call float @llvm.fma.f32(float %s27, float %x, float 29.0)
  %s29 = call float @llvm.fma.f32(float %s28, float %x, float 30.0)
  %q = getelementptr inbounds float, ptr addrspace(1) %out, i64 %item
  store float %s29, ptr addrspace(1) %q
  %item.next = add nuw nsw i64 %item, 1
  %more = icmp ult i64 %item.next, %count
  br i1 %more, label %items, label %done, !llvm.loop !0
done:
  ret void
}
declare float @llvm.fma.f32(float, float, float)

!0 = distinct !{!0, !1}
!1 = !{!"quern.item-loop"}
