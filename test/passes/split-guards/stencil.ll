; SPDX-License-Identifier: Apache-2.0
; SPDX-FileCopyrightText: The Quern authors
; x > 0 && y > 0 && x < w - 1 && y < h - 1: both conditions on y and the upper bound of x come first, frozen where the
; program had tests before them. The lower bound of x is left.
; RUN: %quernc --passes=split-guards %s | FileCheck %s

; CHECK-LABEL: @stencil(
; CHECK: entry:
; CHECK-DAG: %[[ABOVE:.*]] = freeze i1 %above
; CHECK-DAG: %[[BELOW:.*]] = freeze i1 %below
; CHECK-DAG: %[[ROW:.*]] = and i1 %[[ABOVE]], %[[BELOW]]
; CHECK-DAG: %[[END:.*]] = freeze i32 %end
; CHECK: items:
; CHECK: %[[LEFT:.*]] = icmp slt i32 %x, %[[END]]
; CHECK-NEXT: %[[FIRST:.*]] = select i1 %[[ROW]], i1 %[[LEFT]], i1 false
; CHECK-NEXT: br i1 %[[FIRST]], label %guard, label %next
; CHECK: guard:
; CHECK-NEXT: br i1 %right, label %body, label %next
define void @stencil(ptr noalias %out, i64 %count, i64 %offset, i32 %end, i1 %above, i1 %below) {
entry:
  br label %items
items:
  %item = phi i64 [ 0, %entry ], [ %item.next, %next ]
  %id = add nuw i64 %item, %offset
  %x = trunc i64 %id to i32
  %right = icmp sgt i32 %x, 0
  %a = select i1 %right, i1 %above, i1 false
  %left = icmp slt i32 %x, %end
  %b = select i1 %a, i1 %left, i1 false
  %c = select i1 %b, i1 %below, i1 false
  br i1 %c, label %body, label %next
body:
  %q = getelementptr inbounds i32, ptr %out, i64 %item
  store i32 7, ptr %q
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
