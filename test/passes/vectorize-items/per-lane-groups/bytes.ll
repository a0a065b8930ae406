; SPDX-License-Identifier: Apache-2.0
; SPDX-FileCopyrightText: The Quern authors
; Bytes are gathered.
; RUN: %quernc --passes="vectorize-items<width=8>" %s | FileCheck %s

; CHECK-LABEL: @bytes(
; CHECK: @llvm.masked.gather
; CHECK: ret void
define void @bytes(ptr noalias %in, ptr noalias %out, i64 %pitch, i64 %count) {
entry:
  br label %items
items:
  %item = phi i64 [ 0, %entry ], [ %item.next, %items ]
  %at = mul i64 %item, %pitch
  %p0 = getelementptr inbounds i8, ptr %in, i64 %at
  %p1 = getelementptr inbounds i8, ptr %p0, i64 1
  %p2 = getelementptr inbounds i8, ptr %p0, i64 2
  %p3 = getelementptr inbounds i8, ptr %p0, i64 3
  %v0 = load i8, ptr %p0
  %v1 = load i8, ptr %p1
  %v2 = load i8, ptr %p2
  %v3 = load i8, ptr %p3
  %s0 = add i8 %v0, 5
  %s1 = xor i8 %s0, %v1
  %s2 = xor i8 %s1, %v2
  %s3 = xor i8 %s2, %v3
  %q = getelementptr inbounds i8, ptr %out, i64 %item
  store i8 %s3, ptr %q
  %item.next = add nuw nsw i64 %item, 1
  %more = icmp ult i64 %item.next, %count
  br i1 %more, label %items, label %done, !llvm.loop !0
done:
  ret void
}

!0 = distinct !{!0, !1}
!1 = !{!"quern.item-loop"}
