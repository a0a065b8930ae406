; SPDX-License-Identifier: Apache-2.0
; SPDX-FileCopyrightText: The Quern authors
; A step of a scan: the loop begins at the first work-item with another one so far before it, whose place is the
; counter of the shorter loop. There is no test in it.
; RUN: %quernc --passes="loop-simplify,lcssa,skip-first-items" %s | FileCheck %s

; CHECK-LABEL: @kernel(
; CHECK: %[[FIRST:.*]] = zext i32 %n to i64
; CHECK-NEXT: %[[SOME:.*]] = icmp ult i64 %[[FIRST]], %count
; CHECK-NEXT: br i1 %[[SOME]], label %items.left, label %done
; CHECK: %[[LEFT:.*]] = sub nuw nsw i64 %count, %[[FIRST]]
; CHECK: %item = phi i64 [ 0, %items.left ]
; CHECK: %item1 = add nuw nsw i64 %item, %[[FIRST]]
; CHECK-NOT: icmp
; CHECK: %[[BEFORE:.*]] = trunc i64 %item to i32
; CHECK-NOT: sub
; CHECK: zext i32 %[[BEFORE]] to i64
; CHECK-NOT: br i1
; CHECK: icmp ult i64 %item.next, %[[LEFT]]
define void @kernel(ptr noalias %in, ptr noalias %out, i32 %n, i64 %count) {
entry:
  br label %items
items:
  %item = phi i64 [ 0, %entry ], [ %item.next, %next ]
  %id = trunc i64 %item to i32
  %inside = icmp uge i32 %id, %n
  br i1 %inside, label %body, label %next
body:
  %other = sub i32 %id, %n
  %from = zext i32 %other to i64
  %p = getelementptr inbounds i32, ptr %in, i64 %from
  %x = load i32, ptr %p
  %q = getelementptr inbounds i32, ptr %out, i64 %item
  store i32 %x, ptr %q
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
