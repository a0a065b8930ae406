; SPDX-License-Identifier: Apache-2.0
; SPDX-FileCopyrightText: The Quern authors
; Three words do not fill 16 bytes: they are gathered.
; RUN: %quernc --passes="vectorize-items<width=8>" %s | FileCheck %s

; CHECK-LABEL: @three(
; CHECK: @llvm.masked.gather
; CHECK: ret void
define void @three(ptr noalias %in, ptr noalias %out, i64 %pitch, i64 %count) {
entry:
  br label %items
items:
  %item = phi i64 [ 0, %entry ], [ %item.next, %items ]
  %at = mul i64 %item, %pitch
  %p0 = getelementptr inbounds i32, ptr %in, i64 %at
  %p1 = getelementptr inbounds i8, ptr %p0, i64 4
  %p2 = getelementptr inbounds i8, ptr %p0, i64 8
  %v0 = load i32, ptr %p0
  %v1 = load i32, ptr %p1
  %v2 = load i32, ptr %p2
  %s0 = add i32 %v0, 5
  %s1 = xor i32 %s0, %v1
  %s2 = xor i32 %s1, %v2
  %q = getelementptr inbounds i32, ptr %out, i64 %item
  store i32 %s2, ptr %q
  %item.next = add nuw nsw i64 %item, 1
  %more = icmp ult i64 %item.next, %count
  br i1 %more, label %items, label %done, !llvm.loop !0
done:
  ret void
}

!0 = distinct !{!0, !1}
!1 = !{!"quern.item-loop"}
