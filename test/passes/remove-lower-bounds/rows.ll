; SPDX-License-Identifier: Apache-2.0
; SPDX-FileCopyrightText: The Quern authors
; All rows of a work-group leave the same work-items out: what decides stands before the y loop.
; RUN: %quernc --passes="loop-simplify,lcssa,remove-lower-bounds" %s | FileCheck %s

; CHECK-LABEL: @rows(
; CHECK: br i1 %{{.*}}, label %[[PREHEADER:.*]], label %done
; CHECK: [[PREHEADER]]:
; CHECK: %items.left = sub nuw nsw i64 %count,
; CHECK: rows:
; CHECK-NEXT: %y = phi i64
; CHECK: items:
; CHECK: br label %body
; CHECK: icmp ult i64 %item.next, %items.left
define void @rows(ptr noalias %out, i64 %base, i64 %low, i64 %count, i64 %row_count) {
entry:
  br label %rows
rows:
  %y = phi i64 [ 0, %entry ], [ %y.next, %row.end ]
  %row = getelementptr i32, ptr %out, i64 %y
  br label %items
items:
  %item = phi i64 [ 0, %rows ], [ %item.next, %next ]
  %id = add nuw i64 %base, %item
  %inside = icmp ugt i64 %id, %low
  br i1 %inside, label %body, label %next
body:
  %q = getelementptr inbounds i32, ptr %row, i64 %id
  store i32 7, ptr %q
  br label %next
next:
  %item.next = add nuw nsw i64 %item, 1
  %more = icmp ult i64 %item.next, %count
  br i1 %more, label %items, label %row.end, !llvm.loop !0
row.end:
  %y.next = add nuw nsw i64 %y, 1
  %more.rows = icmp ult i64 %y.next, %row_count
  br i1 %more.rows, label %rows, label %done, !llvm.loop !2
done:
  ret void
}

!0 = distinct !{!0, !1}
!1 = !{!"quern.item-loop"}
!2 = distinct !{!2, !3}
!3 = !{!"quern.y-loop"}
