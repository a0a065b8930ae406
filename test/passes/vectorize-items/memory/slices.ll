; SPDX-License-Identifier: Apache-2.0
; SPDX-FileCopyrightText: The Quern authors
; Vectors of 16 bytes are loaded into parts of registers, and transposed with unpack shuffles within these parts. They
; are stored as one vector.
; RUN: env QUERN_CPU=znver3 %quernc --passes="vectorize-items<width=8>" %s | FileCheck %s

; CHECK-LABEL: @slices(
; CHECK: items.wide:
; CHECK: %[[LANE4:.*]] = getelementptr i8, ptr %[[FIRST:.*]], i64 64
; CHECK: %[[SLICE0:.*]] = load <4 x float>, ptr %{{.*}}, align 16
; CHECK: %[[SLICE4:.*]] = load <4 x float>, ptr %[[LANE4]], align 16
; CHECK: shufflevector <4 x float> %[[SLICE0]], <4 x float> %[[SLICE4]], <8 x i32> <i32 0, i32 1, {{.*}}, i32 7>
; CHECK: shufflevector <8 x float> {{.*}} <i32 0, i32 8, i32 1, i32 9, i32 4, i32 12, i32 5, i32 13>
; CHECK: shufflevector <8 x float> {{.*}} <i32 2, i32 10, i32 3, i32 11, i32 6, i32 14, i32 7, i32 15>
; CHECK: fadd <8 x float>
; CHECK: store <32 x float>
define void @slices(ptr noalias %in, ptr noalias %out, i64 %count) {
entry:
  br label %items
items:
  %item = phi i64 [ 0, %entry ], [ %item.next, %items ]
  %p = getelementptr inbounds <4 x float>, ptr %in, i64 %item
  %x = load <4 x float>, ptr %p
  %x0 = extractelement <4 x float> %x, i64 0
  %x3 = extractelement <4 x float> %x, i64 3
  %sum = fadd float %x0, %x3
  %y = insertelement <4 x float> %x, float %sum, i64 3
  %q = getelementptr inbounds <4 x float>, ptr %out, i64 %item
  store <4 x float> %y, ptr %q
  %item.next = add nuw nsw i64 %item, 1
  %more = icmp ult i64 %item.next, %count
  br i1 %more, label %items, label %done, !llvm.loop !0
done:
  ret void
}

!0 = distinct !{!0, !1}
!1 = !{!"quern.item-loop"}
