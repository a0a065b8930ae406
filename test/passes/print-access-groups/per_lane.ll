; SPDX-License-Identifier: Apache-2.0
; SPDX-FileCopyrightText: The Quern authors
; Words that lie side by side, at a distance between work-items that is not known.
; RUN: %quernc --passes="print<access-groups>" %s 2>&1 >/dev/null | FileCheck %s

; CHECK-LABEL: Access groups of 'per_lane':
; CHECK-NEXT: per-lane group, step 4, made at %v0 = load i32, ptr %p0
; CHECK-NEXT: element 0: %v0
; CHECK-NEXT: element 1: %v1
; CHECK-NEXT: element 2: %v2
; CHECK-NEXT: element 3: %v3
define void @per_lane(ptr noalias %in, ptr noalias %out, i64 %pitch, i64 %count) {
entry:
  br label %items
items:
  %item = phi i64 [ 0, %entry ], [ %item.next, %items ]
  %at = mul i64 %item, %pitch
  %p0 = getelementptr inbounds i32, ptr %in, i64 %at
  %p1 = getelementptr inbounds i8, ptr %p0, i64 4
  %p2 = getelementptr inbounds i8, ptr %p0, i64 8
  %p3 = getelementptr inbounds i8, ptr %p0, i64 12
  %v0 = load i32, ptr %p0
  %v1 = load i32, ptr %p1
  %v2 = load i32, ptr %p2
  %v3 = load i32, ptr %p3
  %s0 = add i32 %v0, 5
  %s1 = xor i32 %s0, %v1
  %s2 = xor i32 %s1, %v2
  %s3 = xor i32 %s2, %v3
  %q = getelementptr inbounds i32, ptr %out, i64 %item
  store i32 %s3, ptr %q
  %item.next = add nuw nsw i64 %item, 1
  %more = icmp ult i64 %item.next, %count
  br i1 %more, label %items, label %done, !llvm.loop !0
done:
  ret void
}

!0 = distinct !{!0, !1}
!1 = !{!"quern.item-loop"}
