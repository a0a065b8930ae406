; SPDX-License-Identifier: Apache-2.0
; SPDX-FileCopyrightText: The Quern authors
; A size_t id does not wrap: the loop begins at the first work-item inside, and there is no copy of it.
; RUN: %quernc --passes="loop-simplify,lcssa,remove-lower-bounds" %s | FileCheck %s

; CHECK-LABEL: @wide(
; CHECK: %[[INSIDE:.*]] = icmp uge i64 %base, %low
; CHECK: %[[BEFORE:.*]] = sub i64 %low, %base
; CHECK: call i64 @llvm.umin.i64(i64 %[[BEFORE]], i64 %count)
; CHECK: %[[OUTSIDE:.*]] = call i64 @llvm.umin.i64(
; CHECK: icmp ult i64 %[[OUTSIDE]], %count
; CHECK: %items.left = sub nuw nsw i64 %count, %[[OUTSIDE]]
; CHECK: %[[FIRST:.*]] = add i64 %base, %[[OUTSIDE]]
; CHECK: add nuw i64 %[[FIRST]], %item
; CHECK: br label %body
; CHECK: icmp ult i64 %item.next, %items.left
; CHECK-NOT: .wraps
define void @wide(ptr noalias %out, i64 %base, i64 %low, i64 %count) {
entry:
  br label %items
items:
  %item = phi i64 [ 0, %entry ], [ %item.next, %next ]
  %id = add nuw i64 %base, %item
  %inside = icmp uge i64 %id, %low
  br i1 %inside, label %body, label %next
body:
  %q = getelementptr inbounds i32, ptr %out, i64 %id
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
