; SPDX-License-Identifier: Apache-2.0
; SPDX-FileCopyrightText: The Quern authors
; A square has no stride.
; RUN: %quernc --passes="print<shapes>" %s 2>&1 >/dev/null | FileCheck %s

; CHECK: VARYING: {{ *}}%square = mul
; CHECK: VARYING: {{ *}}%p = getelementptr
define void @square(ptr %in, i64 %count) {
entry:
  br label %items
items:
  %item = phi i64 [ 0, %entry ], [ %item.next, %next ]
  %square = mul nuw nsw i64 %item, %item
  %p = getelementptr inbounds float, ptr %in, i64 %square
  store float 0.0, ptr %p
  br label %next
next:
  %item.next = add nuw nsw i64 %item, 1
  %more = icmp ult i64 %item.next, %count
  br i1 %more, label %items, label %done, !llvm.loop !0
done:
  ret void
}

!0 = distinct !{!0, !1}
!1 = !{!"quern.item-loop"}
