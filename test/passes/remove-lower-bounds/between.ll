; SPDX-License-Identifier: Apache-2.0
; SPDX-FileCopyrightText: The Quern authors
; An upper bound beside the lower one stays, for the item bound. What only a test before it makes defined is frozen.
; RUN: %quernc --passes="loop-simplify,lcssa,remove-lower-bounds" %s | FileCheck %s

; CHECK-LABEL: @between(
; CHECK: freeze i64 %low
; CHECK-NOT: icmp uge i64 %id, %low
; CHECK: items:
; CHECK: %below = icmp ult i64 %{{.*}}, %high
; CHECK: br i1 %below, label %body, label %next
define void @between(ptr noalias %out, i64 %base, i64 %low, i64 %high, i64 %count) {
entry:
  br label %items
items:
  %item = phi i64 [ 0, %entry ], [ %item.next, %next ]
  %id = add nuw i64 %base, %item
  %below = icmp ult i64 %id, %high
  %above = icmp uge i64 %id, %low
  %inside = select i1 %below, i1 %above, i1 false
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
