; SPDX-License-Identifier: Apache-2.0
; SPDX-FileCopyrightText: The Quern authors
; With an upper bound, which is left for the vectorizer, and a condition of each work-item.
; RUN: %quernc --passes="loop-simplify,lcssa,skip-first-items" %s | FileCheck %s

; CHECK-LABEL: @kernel(
; CHECK: %[[FIRST:.*]] = zext i32 %n to i64
; CHECK: icmp ult i64 %[[FIRST]], %count
; CHECK: %[[C:c.*]] = icmp ne i32
; CHECK: %[[BOTH:.*]] = and i1 %below, %[[C]]
; CHECK: br i1 %[[BOTH]], label %body, label %next
define void @kernel(ptr noalias %in, ptr noalias %out, i32 %n, i64 %count) {
entry:
  br label %items
items:
  %item = phi i64 [ 0, %entry ], [ %item.next, %next ]
  %id = trunc i64 %item to i32
  %inside = icmp uge i32 %id, %n
  %p = getelementptr inbounds i32, ptr %in, i64 %item
  %x = load i32, ptr %p
  %below = icmp ult i32 %id, 50
  %c = icmp ne i32 %x, 0
  %first = and i1 %inside, %below
  %both = and i1 %first, %c
  br i1 %both, label %body, label %next
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
