; SPDX-License-Identifier: Apache-2.0
; SPDX-FileCopyrightText: The Quern authors
; The components of an explicit vector are vectors of lanes of their own: one load, and shuffles.
; RUN: %quernc --passes="vectorize-items<width=4>" %s | FileCheck %s

; CHECK-LABEL: @components(
; CHECK: %[[WORDS:.*]] = call <4 x i64> @llvm.masked.load.v4i64
; CHECK: %[[ALL:.*]] = bitcast <4 x i64> %[[WORDS]] to <8 x float>
; CHECK-DAG: shufflevector <8 x float> %[[ALL]], <8 x float> poison, <4 x i32> <i32 0, i32 2, i32 4, i32 6>
; CHECK-DAG: shufflevector <8 x float> %[[ALL]], <8 x float> poison, <4 x i32> <i32 1, i32 3, i32 5, i32 7>
; CHECK: fmul <4 x float>
define void @components(ptr noalias %in, ptr noalias %out, i64 %count) {
entry:
  br label %items
items:
  %item = phi i64 [ 0, %entry ], [ %item.next, %items ]
  %p = getelementptr inbounds <2 x float>, ptr %in, i64 %item
  %x = load <2 x float>, ptr %p
  %re = extractelement <2 x float> %x, i64 0
  %im = extractelement <2 x float> %x, i64 1
  %y = fmul float %re, %im
  %q = getelementptr inbounds float, ptr %out, i64 %item
  store float %y, ptr %q
  %item.next = add nuw nsw i64 %item, 1
  %more = icmp ult i64 %item.next, %count
  br i1 %more, label %items, label %done, !llvm.loop !0
done:
  ret void
}

!0 = distinct !{!0, !1}
!1 = !{!"quern.item-loop"}
