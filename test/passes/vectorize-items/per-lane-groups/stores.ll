; SPDX-License-Identifier: Apache-2.0
; SPDX-FileCopyrightText: The Quern authors
; Stores are transposed first.
; RUN: %quernc --passes="vectorize-items<width=8>" %s | FileCheck %s

; CHECK-LABEL: @stores(
; CHECK-NOT: scatter
; CHECK: shufflevector
; CHECK-COUNT-8: <4 x i32>
; CHECK-NOT: scatter
; CHECK: ret void
define void @stores(ptr noalias %in, ptr noalias %out, i64 %pitch, i64 %count) {
entry:
  br label %items
items:
  %item = phi i64 [ 0, %entry ], [ %item.next, %items ]
  %at = mul i64 %item, %pitch
  %p0 = getelementptr inbounds i32, ptr %in, i64 %at
  %p1 = getelementptr inbounds i8, ptr %p0, i64 4
  %p2 = getelementptr inbounds i8, ptr %p0, i64 8
  %p3 = getelementptr inbounds i8, ptr %p0, i64 12
  %v.p = getelementptr inbounds i32, ptr %out, i64 %item
  %v = load i32, ptr %v.p
  %v0 = add i32 %v, 0
  %v1 = add i32 %v, 1
  %v2 = add i32 %v, 2
  %v3 = add i32 %v, 3
  store i32 %v0, ptr %p0
  store i32 %v1, ptr %p1
  store i32 %v2, ptr %p2
  store i32 %v3, ptr %p3
  %item.next = add nuw nsw i64 %item, 1
  %more = icmp ult i64 %item.next, %count
  br i1 %more, label %items, label %done, !llvm.loop !0
done:
  ret void
}

!0 = distinct !{!0, !1}
!1 = !{!"quern.item-loop"}
