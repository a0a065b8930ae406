; SPDX-License-Identifier: Apache-2.0
; SPDX-FileCopyrightText: The Quern authors
; Thirteen values live beside the path: registers suffice for two work-items, not for four.
; RUN: %quernc --passes="print<recurrence-latency>" %s 2>&1 >/dev/null | FileCheck %s

; CHECK-LABEL: Recurrence latency of 'many':
; CHECK-NEXT: critical path: {{[0-9.]+}} cycles exposed, resources {{[0-9.]+}} cycles, 13 registers
; CHECK-NEXT: interleave count 2
define void @many(ptr noalias %out, i64 %count) {
entry:
  br label %items
items:
  %item = phi i64 [ 0, %entry ], [ %item.next, %items ]
  %word = trunc i64 %item to i32
  %x = uitofp i32 %word to float
  %x0 = fmul float %x, 2.5
  %x1 = fmul float %x, 3.5
  %x2 = fmul float %x, 4.5
  %x3 = fmul float %x, 5.5
  %x4 = fmul float %x, 6.5
  %x5 = fmul float %x, 7.5
  %x6 = fmul float %x, 8.5
  %x7 = fmul float %x, 9.5
  %x8 = fmul float %x, 10.5
  %x9 = fmul float %x, 11.5
  %x10 = fmul float %x, 12.5
  %x11 = fmul float %x, 13.5
  %s0 = call float @llvm.fma.f32(float %x, float %x0, float 1.0)
  %s1 = call float @llvm.fma.f32(float %s0, float %x1, float 2.0)
  %s2 = call float @llvm.fma.f32(float %s1, float %x2, float 3.0)
  %s3 = call float @llvm.fma.f32(float %s2, float %x3, float 4.0)
  %s4 = call float @llvm.fma.f32(float %s3, float %x4, float 5.0)
  %s5 = call float @llvm.fma.f32(float %s4, float %x5, float 6.0)
  %s6 = call float @llvm.fma.f32(float %s5, float %x6, float 7.0)
  %s7 = call float @llvm.fma.f32(float %s6, float %x7, float 8.0)
  %s8 = call float @llvm.fma.f32(float %s7, float %x8, float 9.0)
  %s9 = call float @llvm.fma.f32(float %s8, float %x9, float 10.0)
  %s10 = call float @llvm.fma.f32(float %s9, float %x10, float 11.0)
  %s11 = call float @llvm.fma.f32(float %s10, float %x11, float 12.0)
  %s12 = call float @llvm.fma.f32(float %s11, float %x0, float 13.0)
  %s13 = call float @llvm.fma.f32(float %s12, float %x1, float 14.0)
  %s14 = call float @llvm.fma.f32(float %s13, float %x2, float 15.0)
  %s15 = call float @llvm.fma.f32(float %s14, float %x3, float 16.0)
  %s16 = call float @llvm.fma.f32(float %s15, float %x4, float 17.0)
  %s17 = call float @llvm.fma.f32(float %s16, float %x5, float 18.0)
  %s18 = call float @llvm.fma.f32(float %s17, float %x6, float 19.0)
  %s19 = call float @llvm.fma.f32(float %s18, float %x7, float 20.0)
  %s20 = call float @llvm.fma.f32(float %s19, float %x8, float 21.0)
  %s21 = call float @llvm.fma.f32(float %s20, float %x9, float 22.0)
  %s22 = call float @llvm.fma.f32(float %s21, float %x10, float 23.0)
  %s23 = call float @llvm.fma.f32(float %s22, float %x11, float 24.0)
  %s24 = call float @llvm.fma.f32(float %s23, float %x0, float 25.0)
  %s25 = call float @llvm.fma.f32(float %s24, float %x1, float 26.0)
  %s26 = call float @llvm.fma.f32(float %s25, float %x2, float 27.0)
  %s27 = call float @llvm.fma.f32(float %s26, float %x3, float 28.0)
  %s28 = call float @llvm.fma.f32(float %s27, float %x4, float 29.0)
  %s29 = call float @llvm.fma.f32(float %s28, float %x5, float 30.0)
  %s30 = call float @llvm.fma.f32(float %s29, float %x6, float 31.0)
  %s31 = call float @llvm.fma.f32(float %s30, float %x7, float 32.0)
  %s32 = call float @llvm.fma.f32(float %s31, float %x8, float 33.0)
  %s33 = call float @llvm.fma.f32(float %s32, float %x9, float 34.0)
  %s34 = call float @llvm.fma.f32(float %s33, float %x10, float 35.0)
  %s35 = call float @llvm.fma.f32(float %s34, float %x11, float 36.0)
  %q = getelementptr inbounds float, ptr %out, i64 %item
  store float %s35, ptr %q
  %item.next = add nuw nsw i64 %item, 1
  %more = icmp ult i64 %item.next, %count
  br i1 %more, label %items, label %done, !llvm.loop !0
done:
  ret void
}
declare float @llvm.fma.f32(float, float, float)

!0 = distinct !{!0, !1}
!1 = !{!"quern.item-loop"}
