; SPDX-License-Identifier: Apache-2.0
; SPDX-FileCopyrightText: The Quern authors
; An unsigned 32-bit index that is negative for the first work-items: where the check fails, the scalar loop runs all
; work-items. A signed index wraps in no real program.
; RUN: %quernc --passes=vectorize-items %s | FileCheck %s

; CHECK-LABEL: @unsigned(
; CHECK: %[[OK:[0-9]+]] = icmp eq i64
; CHECK: br i1 %[[OK]], label %passed, label %items, !prof
; CHECK-NOT: select i1 %[[OK]], i64 8, i64 1
; CHECK: items:
; CHECK: %item = phi i64 [ 0, %entry ], [ %item.next, %next ]
; CHECK: load float
define void @unsigned(ptr %in, ptr noalias %out, i64 %count) {
entry:
  br label %items
items:
  %item = phi i64 [ 0, %entry ], [ %item.next, %next ]
  %narrow = trunc i64 %item to i32
  %before = add i32 %narrow, -5
  %has = icmp ugt i32 %narrow, 4
  br i1 %has, label %access, label %next
access:
  %index = zext i32 %before to i64
  %p = getelementptr inbounds float, ptr %in, i64 %index
  %v = load float, ptr %p
  %q = getelementptr inbounds float, ptr %out, i64 %item
  store float %v, ptr %q
  br label %next
next:
  %item.next = add nuw nsw i64 %item, 1
  %more = icmp ult i64 %item.next, %count
  br i1 %more, label %items, label %done, !llvm.loop !0
done:
  ret void
}

; CHECK-LABEL: @signed(
; CHECK-NOT: label %passed
; CHECK: ret void
define void @signed(ptr %in, ptr noalias %out, i64 %count) {
entry:
  br label %items
items:
  %item = phi i64 [ 0, %entry ], [ %item.next, %items ]
  %narrow = trunc i64 %item to i32
  %before = add i32 %narrow, -5
  %index = sext i32 %before to i64
  %p = getelementptr inbounds float, ptr %in, i64 %index
  %v = load float, ptr %p
  %q = getelementptr inbounds float, ptr %out, i64 %item
  store float %v, ptr %q
  %item.next = add nuw nsw i64 %item, 1
  %more = icmp ult i64 %item.next, %count
  br i1 %more, label %items, label %done, !llvm.loop !2
done:
  ret void
}

!0 = distinct !{!0, !1}
!1 = !{!"quern.item-loop"}
!2 = distinct !{!2, !1}
