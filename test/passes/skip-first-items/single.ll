; SPDX-License-Identifier: Apache-2.0
; SPDX-FileCopyrightText: The Quern authors
; A guard that names one work-item leaves one iteration, if there is such a work-item.
; RUN: %quernc --passes="loop-simplify,lcssa,skip-first-items" %s | FileCheck %s

; CHECK-LABEL: @kernel(
; CHECK: %[[FIRST:.*]] = zext i32 %n to i64
; CHECK: icmp ult i64 %[[FIRST]], %count
; CHECK-NEXT: br i1
; CHECK-NOT: br i1
; CHECK: icmp ult i64 %item.next, 1
define void @kernel(ptr noalias %in, ptr noalias %out, i32 %n, i64 %count) {
entry:
  br label %items
items:
  %item = phi i64 [ 0, %entry ], [ %item.next, %next ]
  %id = trunc i64 %item to i32
  %inside = icmp eq i32 %id, %n
  br i1 %inside, label %body, label %next
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
