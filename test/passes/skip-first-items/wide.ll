; SPDX-License-Identifier: Apache-2.0
; SPDX-FileCopyrightText: The Quern authors
; A bound of 64 bits may be the largest number: nothing wraps, and no work-item is left.
; RUN: %quernc --passes="loop-simplify,lcssa,skip-first-items" %s | FileCheck %s

; CHECK-LABEL: @kernel(
; CHECK: %[[LAST:.*]] = call i64 @llvm.umin.i64(i64 %n, i64 %count)
; CHECK: %[[FIRST:.*]] = add i64 %[[LAST]], 1
; CHECK: icmp ult i64 %[[FIRST]], %count
define void @kernel(ptr noalias %in, ptr noalias %out, i64 %n, i64 %count) {
entry:
  br label %items
items:
  %item = phi i64 [ 0, %entry ], [ %item.next, %next ]
  %inside = icmp ugt i64 %item, %n
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
