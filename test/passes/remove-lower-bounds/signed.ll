; SPDX-License-Identifier: Apache-2.0
; SPDX-FileCopyrightText: The Quern authors
; An id of 32 bits may wrap in the work-group: then a copy of the loop runs, which is no item loop.
; RUN: %quernc --passes="loop-simplify,lcssa,remove-lower-bounds" %s | FileCheck %s

; CHECK-LABEL: @signed(
; CHECK: %[[FIRST:.*]] = trunc i64 %base to i32
; CHECK: %[[FIRST_ID:.*]] = sext i32 %[[FIRST]] to i64
; CHECK: %[[LAST_NUMBER:.*]] = sub i64 %count, 1
; CHECK: %[[STEPS:.*]] = sub i64 %{{.*}}, %[[FIRST_ID]]
; CHECK: %[[NO_WRAP:.*]] = icmp eq i64 %[[STEPS]], %[[LAST_NUMBER]]
; CHECK: br i1 %[[NO_WRAP]], label %{{.*}}, label %{{.*}}.wraps
; CHECK: items.wraps:
; CHECK: icmp sgt i32 %{{.*}}, %low
; CHECK: br i1 %more.wraps, label %items.wraps, label %{{[a-z.0-9]*$}}
; CHECK: items:
; CHECK-NOT: icmp sgt i32 %{{.*}}, %low
; CHECK: br label %body
; CHECK: !llvm.loop
define void @signed(ptr noalias %out, i64 %base, i32 %low, i64 %count) {
entry:
  br label %items
items:
  %item = phi i64 [ 0, %entry ], [ %item.next, %next ]
  %id = add nuw i64 %base, %item
  %x = trunc i64 %id to i32
  %inside = icmp sgt i32 %x, %low
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
