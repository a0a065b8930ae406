; SPDX-License-Identifier: Apache-2.0
; SPDX-FileCopyrightText: The Quern authors
; A 32-bit number may wrap: a check before the loop compares both ends, and where it fails each work-item is tested.
; RUN: %quernc --passes="vectorize-items<width=8>" %s | FileCheck %s

; CHECK-LABEL: @may_wrap(
; CHECK: %[[HOLDS:.*]] = and i1
; CHECK: select i1 %[[HOLDS]], i64 %{{.*}}, i64 %count
; CHECK: select i1 %[[HOLDS]], i64 8, i64 1
define void @may_wrap(ptr noalias %out, i32 %first, i32 %n, i64 %count) {
entry:
  br label %items
items:
  %item = phi i64 [ 0, %entry ], [ %item.next, %next ]
  %id = trunc i64 %item to i32
  %number = add i32 %id, %first
  %inside = icmp ult i32 %number, %n
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
