; SPDX-License-Identifier: Apache-2.0
; SPDX-FileCopyrightText: The Quern authors
; A switch on what differs between work-items becomes branches; one that all take the same way stays.
; RUN: %quernc --passes="canonicalize-items" %s | FileCheck %s

; CHECK-LABEL: @divergent(
; CHECK-NOT: switch
; CHECK: icmp eq i32 %{{.*}}, 1
; CHECK: icmp eq i32 %{{.*}}, 2
; CHECK: ret void
; CHECK-LABEL: @uniform(
; CHECK: switch i32 %n
define void @divergent(ptr noalias %in, ptr noalias %out, i64 %count) {
entry:
  br label %items
items:
  %item = phi i64 [ 0, %entry ], [ %item.next, %next ]
  %p = getelementptr inbounds i32, ptr %in, i64 %item
  %n = load i32, ptr %p
  switch i32 %n, label %next [
    i32 1, label %a
    i32 2, label %b
  ]
a:
  br label %next
b:
  br label %next
next:
  %result = phi i32 [ 0, %items ], [ 10, %a ], [ 20, %b ]
  %q = getelementptr inbounds i32, ptr %out, i64 %item
  store i32 %result, ptr %q
  %item.next = add nuw nsw i64 %item, 1
  %more = icmp ult i64 %item.next, %count
  br i1 %more, label %items, label %done, !llvm.loop !0
done:
  ret void
}

define void @uniform(i32 %n, ptr noalias %out, i64 %count) {
entry:
  br label %items
items:
  %item = phi i64 [ 0, %entry ], [ %item.next, %next ]
  switch i32 %n, label %next [
    i32 1, label %a
    i32 2, label %b
  ]
a:
  br label %next
b:
  br label %next
next:
  %result = phi i32 [ 0, %items ], [ 10, %a ], [ 20, %b ]
  %q = getelementptr inbounds i32, ptr %out, i64 %item
  store i32 %result, ptr %q
  %item.next = add nuw nsw i64 %item, 1
  %more = icmp ult i64 %item.next, %count
  br i1 %more, label %items, label %done, !llvm.loop !0
done:
  ret void
}

!0 = distinct !{!0, !1}
!1 = !{!"quern.item-loop"}
