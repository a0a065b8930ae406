; SPDX-License-Identifier: Apache-2.0
; SPDX-FileCopyrightText: The Quern authors
; Two words of 64 bits are.
; RUN: %quernc --passes="vectorize-items<width=8>" %s | FileCheck %s

; CHECK-LABEL: @pairs(
; CHECK-NOT: gather
; CHECK-COUNT-8: <2 x i64>
; CHECK-NOT: gather
; CHECK: ret void
define void @pairs(ptr noalias %in, ptr noalias %out, i64 %pitch, i64 %count) {
entry:
  br label %items
items:
  %item = phi i64 [ 0, %entry ], [ %item.next, %items ]
  %at = mul i64 %item, %pitch
  %p0 = getelementptr inbounds i64, ptr %in, i64 %at
  %p1 = getelementptr inbounds i8, ptr %p0, i64 8
  %v0 = load i64, ptr %p0
  %v1 = load i64, ptr %p1
  %s0 = add i64 %v0, 5
  %s1 = xor i64 %s0, %v1
  %q = getelementptr inbounds i64, ptr %out, i64 %item
  store i64 %s1, ptr %q
  %item.next = add nuw nsw i64 %item, 1
  %more = icmp ult i64 %item.next, %count
  br i1 %more, label %items, label %done, !llvm.loop !0
done:
  ret void
}

!0 = distinct !{!0, !1}
!1 = !{!"quern.item-loop"}
