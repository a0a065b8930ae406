; SPDX-License-Identifier: Apache-2.0
; SPDX-FileCopyrightText: The Quern authors
; A bound that is not the same for all work-items is none.
; RUN: %quernc --passes="loop-simplify,lcssa,remove-lower-bounds" %s | FileCheck %s

; CHECK-LABEL: @varying(
; CHECK: %low = load i64, ptr %p
; CHECK: %inside = icmp uge i64 %id, %low
; CHECK: icmp ult i64 %item.next, %count
define void @varying(ptr noalias %in, ptr noalias %out, i64 %base, i64 %count) {
entry:
  br label %items
items:
  %item = phi i64 [ 0, %entry ], [ %item.next, %next ]
  %id = add nuw i64 %base, %item
  %p = getelementptr i64, ptr %in, i64 %item
  %low = load i64, ptr %p
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
