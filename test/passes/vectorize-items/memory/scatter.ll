; SPDX-License-Identifier: Apache-2.0
; SPDX-FileCopyrightText: The Quern authors
; Elements that lie anywhere are scattered.
; RUN: %quernc --passes="vectorize-items<width=8>" %s | FileCheck %s

; CHECK-LABEL: @scatter(
; CHECK: call void @llvm.masked.scatter.v8i32.v8p0(<8 x i32> splat (i32 7),
define void @scatter(ptr noalias %indices, ptr noalias %out, i64 %count) {
entry:
  br label %items
items:
  %item = phi i64 [ 0, %entry ], [ %item.next, %items ]
  %p = getelementptr inbounds i64, ptr %indices, i64 %item
  %at = load i64, ptr %p
  %q = getelementptr inbounds i32, ptr %out, i64 %at
  store i32 7, ptr %q
  %item.next = add nuw nsw i64 %item, 1
  %more = icmp ult i64 %item.next, %count
  br i1 %more, label %items, label %done, !llvm.loop !0
done:
  ret void
}

!0 = distinct !{!0, !1}
!1 = !{!"quern.item-loop"}
