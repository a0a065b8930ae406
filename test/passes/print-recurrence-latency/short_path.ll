; SPDX-License-Identifier: Apache-2.0
; SPDX-FileCopyrightText: The Quern authors
; The scheduler holds many such work-items, and overlaps them by itself.
; RUN: %quernc --passes="print<recurrence-latency>" %s 2>&1 >/dev/null | FileCheck %s

; CHECK-LABEL: Recurrence latency of 'short':
; CHECK-NEXT: critical path: {{[0-9.]+}} cycles exposed, resources {{[0-9.]+}} cycles, 2 registers
; CHECK-NEXT: interleave count 1
define void @short(ptr noalias %out, i64 %count) {
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
  %q = getelementptr inbounds float, ptr %out, i64 %item
  store float %s5, ptr %q
  %item.next = add nuw nsw i64 %item, 1
  %more = icmp ult i64 %item.next, %count
  br i1 %more, label %items, label %done, !llvm.loop !0
done:
  ret void
}
declare float @llvm.fma.f32(float, float, float)

!0 = distinct !{!0, !1}
!1 = !{!"quern.item-loop"}
