; SPDX-License-Identifier: Apache-2.0
; SPDX-FileCopyrightText: The Quern authors
; What every work-item does keeps all of them in the loop.
; RUN: %quernc --passes="loop-simplify,lcssa,skip-first-items" %s | FileCheck %s

; CHECK-LABEL: @kernel(
; CHECK-NOT: items.left
; CHECK: br i1 %inside, label %body, label %next
; CHECK: ret void
define void @kernel(ptr noalias %in, ptr noalias %out, i32 %n, i64 %count) {
entry:
  br label %items
items:
  %item = phi i64 [ 0, %entry ], [ %item.next, %next ]
  %id = trunc i64 %item to i32
  %p = getelementptr inbounds i32, ptr %in, i64 %item
  store i32 3, ptr %p
  %inside = icmp uge i32 %id, %n
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
