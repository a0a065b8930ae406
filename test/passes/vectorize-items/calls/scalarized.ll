; SPDX-License-Identifier: Apache-2.0
; SPDX-FileCopyrightText: The Quern authors
; Other functions are called for one active lane after the other.
; RUN: %quernc --passes="vectorize-items<width=8>" %s | FileCheck %s

; CHECK-LABEL: @scalarized(
; CHECK: cttz
; CHECK: %[[X:.*]] = extractelement <8 x float>
; CHECK: %[[Y:.*]] = call float @unknown(float %[[X]])
; CHECK: insertelement <8 x float> %{{.*}}, float %[[Y]]
define void @scalarized(ptr noalias %in, ptr noalias %out, i64 %count) {
entry:
  br label %items
items:
  %item = phi i64 [ 0, %entry ], [ %item.next, %items ]
  %p = getelementptr inbounds float, ptr %in, i64 %item
  %x = load float, ptr %p
  %y = call float @unknown(float %x)
  %q = getelementptr inbounds float, ptr %out, i64 %item
  store float %y, ptr %q
  %item.next = add nuw nsw i64 %item, 1
  %more = icmp ult i64 %item.next, %count
  br i1 %more, label %items, label %done, !llvm.loop !0
done:
  ret void
}

declare float @unknown(float)

!0 = distinct !{!0, !1}
!1 = !{!"quern.item-loop"}
