; SPDX-License-Identifier: Apache-2.0
; SPDX-FileCopyrightText: The Quern authors
; A signed bound below 0 leaves out none; the comparison is an inverted one.
; RUN: %quernc --passes="loop-simplify,lcssa,skip-first-items" %s | FileCheck %s

; CHECK-LABEL: @kernel(
; CHECK: %[[BOUND:.*]] = sext i32 %n to i64
; CHECK: %[[LAST:.*]] = call i64 @llvm.smax.i64(i64 %[[BOUND]], i64 -1)
; CHECK: %[[FIRST:.*]] = add i64 %[[LAST]], 1
; CHECK: icmp ult i64 %[[FIRST]], %count
define void @kernel(ptr noalias %in, ptr noalias %out, i32 %n, i64 %count) {
entry:
  br label %items
items:
  %item = phi i64 [ 0, %entry ], [ %item.next, %next ]
  %id = trunc i64 %item to i32
  %outside = icmp sle i32 %id, %n
  br i1 %outside, label %next, label %body
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
