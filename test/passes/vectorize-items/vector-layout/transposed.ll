; SPDX-License-Identifier: Apache-2.0
; SPDX-FileCopyrightText: The Quern authors
; Components that meet each other in every step have one vector each: two transpositions, and no shuffle between.
; RUN: %quernc --passes="vectorize-items<width=4>" %s | FileCheck %s

; CHECK-LABEL: define void @transposed(
; CHECK: fmul <4 x float>
; CHECK-NOT: shufflevector
; CHECK: fadd <4 x float>
; CHECK-NOT: shufflevector
; CHECK: fsub <4 x float>
define void @transposed(ptr noalias %in, ptr noalias %out, i64 %count) {
entry:
  br label %items
items:
  %item = phi i64 [ 0, %entry ], [ %item.next, %items ]
  %p = getelementptr inbounds <4 x float>, ptr %in, i64 %item
  %v = load <4 x float>, ptr %p, align 16
  %a = extractelement <4 x float> %v, i64 0
  %b = extractelement <4 x float> %v, i64 1
  %c = extractelement <4 x float> %v, i64 2
  %d = extractelement <4 x float> %v, i64 3
  %e = fmul float %a, %b
  %f = fadd float %e, %c
  %g = fsub float %f, %d
  %q = getelementptr inbounds float, ptr %out, i64 %item
  store float %g, ptr %q
  %item.next = add nuw nsw i64 %item, 1
  %more = icmp ult i64 %item.next, %count
  br i1 %more, label %items, label %done, !llvm.loop !0
done:
  ret void
}

!0 = distinct !{!0, !1}
!1 = !{!"quern.item-loop"}
