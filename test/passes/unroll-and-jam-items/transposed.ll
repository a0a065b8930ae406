; SPDX-License-Identifier: Apache-2.0
; SPDX-FileCopyrightText: The Quern authors
; A copy into columns: what four rows store lies side by side, and the addresses of the others are at constant distances
; from the first.
; RUN: %quernc --passes="unroll-and-jam-items" %s | FileCheck %s

; CHECK-LABEL: @transposed(
; CHECK: y.jammed:
; CHECK: item.header:
; CHECK-COUNT-4: load float
; CHECK-COUNT-4: store float
; CHECK: item.latch:
define void @transposed(ptr noalias %in, ptr noalias %out, i64 %pitch, i64 %width, i64 %height) {
entry:
  br label %rows
rows:
  %y = phi i64 [ 0, %entry ], [ %y.next, %rows.next ]
  %row = mul i64 %y, %pitch
  br label %items
items:
  %item = phi i64 [ 0, %rows ], [ %item.next, %items ]
  %at = add i64 %row, %item
  %p = getelementptr inbounds float, ptr %in, i64 %at
  %x = load float, ptr %p
  %column = mul i64 %item, %pitch
  %to = add i64 %column, %y
  %q = getelementptr inbounds float, ptr %out, i64 %to
  store float %x, ptr %q
  %item.next = add nuw nsw i64 %item, 1
  %more = icmp ult i64 %item.next, %width
  br i1 %more, label %items, label %rows.next, !llvm.loop !0
rows.next:
  %y.next = add nuw nsw i64 %y, 1
  %y.more = icmp ult i64 %y.next, %height
  br i1 %y.more, label %rows, label %done, !llvm.loop !2
done:
  ret void
}

!0 = distinct !{!0, !1}
!1 = !{!"quern.item-loop"}
!2 = distinct !{!2, !3}
!3 = !{!"quern.y-loop"}
