; SPDX-License-Identifier: Apache-2.0
; SPDX-FileCopyrightText: The Quern authors
; What only a truncation behind the loop uses leaves it truncated: the value that is kept until the last work-item
; leaves is as narrow as can be.
; RUN: %quernc --passes="canonicalize-items" %s | FileCheck %s

; CHECK-LABEL: @live_out(
; CHECK: %[[NARROW:.*]] = trunc i64 %{{.*}} to i8
; CHECK: phi i8 [ poison, %{{[a-z0-9.]+}} ], [ %[[NARROW]], %
define void @live_out(ptr noalias %in, ptr noalias %out, i64 %count) {
entry:
  br label %items
items:
  %item = phi i64 [ 0, %entry ], [ %item.next, %next ]
  %p = getelementptr inbounds i64, ptr %in, i64 %item
  %n = load i64, ptr %p
  br label %loop
loop:
  %x = phi i64 [ %n, %items ], [ %x.next, %loop ]
  %x.next = lshr i64 %x, 3
  %again = icmp ugt i64 %x.next, 100
  br i1 %again, label %loop, label %next
next:
  %narrow = trunc i64 %x.next to i8
  %q = getelementptr inbounds i8, ptr %out, i64 %item
  store i8 %narrow, ptr %q
  %item.next = add nuw nsw i64 %item, 1
  %more = icmp ult i64 %item.next, %count
  br i1 %more, label %items, label %done, !llvm.loop !0
done:
  ret void
}

!0 = distinct !{!0, !1}
!1 = !{!"quern.item-loop"}
