; SPDX-License-Identifier: Apache-2.0
; SPDX-FileCopyrightText: The Quern authors
; A function of the program has a variant for vectors: a varying parameter is a vector, a uniform one stays a scalar.
; RUN: %quernc --passes="vectorize-items<width=8>" %s | FileCheck %s

; CHECK-LABEL: @variant(
; CHECK: call <8 x float> @[[VARIANT:.*]](<8 x float> %{{.*}}, float %k
; CHECK: define internal <8 x float> @[[VARIANT]](<8 x float> %{{.*}}, float %{{.*}})
; CHECK: fmul <8 x float>
define void @variant(ptr noalias %in, ptr noalias %out, float %k, i64 %count) {
entry:
  br label %items
items:
  %item = phi i64 [ 0, %entry ], [ %item.next, %items ]
  %p = getelementptr inbounds float, ptr %in, i64 %item
  %x = load float, ptr %p
  %y = call float @helper(float %x, float %k)
  %q = getelementptr inbounds float, ptr %out, i64 %item
  store float %y, ptr %q
  %item.next = add nuw nsw i64 %item, 1
  %more = icmp ult i64 %item.next, %count
  br i1 %more, label %items, label %done, !llvm.loop !0
done:
  ret void
}

define internal float @helper(float %x, float %k) noinline {
  %y = fmul float %x, %k
  ret float %y
}

!0 = distinct !{!0, !1}
!1 = !{!"quern.item-loop"}
