; SPDX-License-Identifier: Apache-2.0
; SPDX-FileCopyrightText: The Quern authors
; A loop without an exit has no canonical form: the work-items stay as they are.
; RUN: %quernc --passes="canonicalize-items" %s | FileCheck %s

; CHECK-LABEL: @no_exit(
; CHECK: %item = phi i64 [ 0, %entry ], [ %item.next, %next ]
; CHECK: forever:
; CHECK-NEXT: br label %forever
define void @no_exit(ptr noalias %in, ptr noalias %out, i64 %count) {
entry:
  br label %items
items:
  %item = phi i64 [ 0, %entry ], [ %item.next, %next ]
  %p = getelementptr inbounds i32, ptr %in, i64 %item
  %n = load i32, ptr %p
  %zero = icmp eq i32 %n, 0
  br i1 %zero, label %forever, label %next
forever:
  br label %forever
next:
  %q = getelementptr inbounds i32, ptr %out, i64 %item
  store i32 %n, ptr %q
  %item.next = add nuw nsw i64 %item, 1
  %more = icmp ult i64 %item.next, %count
  br i1 %more, label %items, label %done, !llvm.loop !0
done:
  ret void
}

!0 = distinct !{!0, !1}
!1 = !{!"quern.item-loop"}
