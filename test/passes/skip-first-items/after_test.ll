; SPDX-License-Identifier: Apache-2.0
; SPDX-FileCopyrightText: The Quern authors
; A bound that only a test before it makes defined is frozen.
; RUN: %quernc --passes="loop-simplify,lcssa,skip-first-items" %s | FileCheck %s

; CHECK-LABEL: @kernel(
; CHECK: %[[BOUND:.*]] = freeze i32 %m
; CHECK: zext i32 %[[BOUND]] to i64
; CHECK: br i1 %c, label %body, label %next
define void @kernel(ptr noalias %in, ptr noalias %out, i32 %m, i64 %count) {
entry:
  br label %items
items:
  %item = phi i64 [ 0, %entry ], [ %item.next, %next ]
  %id = trunc i64 %item to i32
  %p = getelementptr inbounds i32, ptr %in, i64 %item
  %x = load i32, ptr %p
  %c = icmp ne i32 %x, 0
  %inside = icmp uge i32 %id, %m
  %both = select i1 %c, i1 %inside, i1 false
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
