; SPDX-License-Identifier: Apache-2.0
; SPDX-FileCopyrightText: The Quern authors
; Elementwise operations between a load and a store: both stay wide, and later passes remove the shuffles.
; RUN: env QUERN_CPU=znver3 %quernc --passes="vectorize-items<width=8>" %s | FileCheck %s

; CHECK-LABEL: @scale(
; CHECK: items.wide:
; CHECK: load <32 x float>
; CHECK: store <32 x float>
define void @scale(ptr noalias %in, ptr noalias %out, i64 %count) {
entry:
  br label %items
items:
  %item = phi i64 [ 0, %entry ], [ %item.next, %items ]
  %p = getelementptr inbounds <4 x float>, ptr %in, i64 %item
  %x = load <4 x float>, ptr %p
  %y = fmul <4 x float> %x, splat (float 2.0)
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
