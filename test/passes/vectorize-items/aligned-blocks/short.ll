; SPDX-License-Identifier: Apache-2.0
; SPDX-FileCopyrightText: The Quern authors
; Blocks of 8 are shorter than a vector of 16.
; RUN: %quernc --passes="vectorize-items<width=16>" %s | FileCheck %s

; CHECK-LABEL: @short(
; CHECK: items.wide:
; CHECK: gather
define void @short(ptr %in, ptr noalias %out, i64 %count) {
entry:
  br label %items
items:
  %item = phi i64 [ 0, %entry ], [ %item.next, %items ]
  %index = lshr i64 %item, 3
  %p = getelementptr inbounds float, ptr %in, i64 %index
  %v = load float, ptr %p
  %q = getelementptr inbounds float, ptr %out, i64 %item
  store float %v, ptr %q
  %item.next = add nuw nsw i64 %item, 1
  %more = icmp ult i64 %item.next, %count
  br i1 %more, label %items, label %done, !llvm.loop !0
done:
  ret void
}

!0 = distinct !{!0, !1}
!1 = !{!"quern.item-loop"}
