; SPDX-License-Identifier: Apache-2.0
; SPDX-FileCopyrightText: The Quern authors
; Elements that are computed in different ways are merged in the order of memory: one is moved from another place, one
; is the same for all work-items, one was loaded as an integer.
; RUN: %quernc --passes="vectorize-items<width=4>,instcombine" %s | FileCheck %s

; CHECK-LABEL: @merged(
; CHECK-COUNT-3: call <4 x float> @llvm.masked.load.v4f32
; CHECK: %[[MOVED:.*]] = shufflevector <{{.*}}, <12 x i32>
; CHECK-SAME: <i32 1, i32 poison, i32 2, i32 4, i32 poison, i32 5, i32 7, i32 poison, i32 8, i32 10, i32 poison, i32 11>
; CHECK: %[[FILL:.*]] = shufflevector <12 x float>
; CHECK-SAME: <i32 poison, i32 0, i32 poison, i32 poison, i32 0, i32 poison,
; CHECK: %[[MERGED:.*]] = shufflevector <12 x float> %[[MOVED]], <12 x float> %[[FILL]],
; CHECK-SAME: <i32 0, i32 13, i32 2, i32 3, i32 16, i32 5, i32 6, i32 19, i32 8, i32 9, i32 22, i32 11>
; CHECK: %[[PART:.*]] = shufflevector <12 x float> %[[MERGED]], <12 x float> poison, <4 x i32>
; CHECK: call void @llvm.masked.store.v4f32.p0(<4 x float> %[[PART]],
; CHECK: ret void
define void @merged(ptr noalias %in, ptr noalias %out, i64 %count, float %fill) {
entry:
  br label %items
items:
  %item = phi i64 [ 0, %entry ], [ %item.next, %items ]
  %offset = mul nuw nsw i64 %item, 12
  %p = getelementptr inbounds i8, ptr %in, i64 %offset
  %pair = load <2 x float>, ptr %p, align 4
  %p.z = getelementptr inbounds i8, ptr %p, i64 8
  %z = load i32, ptr %p.z, align 4
  %turned = shufflevector <2 x float> %pair, <2 x float> poison, <2 x i32> <i32 1, i32 0>
  %low = insertelement <2 x float> %turned, float %fill, i64 1
  %q = getelementptr inbounds i8, ptr %out, i64 %offset
  store <2 x float> %low, ptr %q, align 4
  %q.z = getelementptr inbounds i8, ptr %q, i64 8
  store i32 %z, ptr %q.z, align 4
  %item.next = add nuw nsw i64 %item, 1
  %more = icmp ult i64 %item.next, %count
  br i1 %more, label %items, label %done, !llvm.loop !0
done:
  ret void
}

!0 = distinct !{!0, !1}
!1 = !{!"quern.item-loop"}
