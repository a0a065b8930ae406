; SPDX-License-Identifier: Apache-2.0
; SPDX-FileCopyrightText: The Quern authors
; Volatile accesses are not moved, and elements at different distances are no group.
; RUN: %quernc --passes="print<access-groups>" %s 2>&1 >/dev/null | FileCheck %s

; CHECK-LABEL: Access groups of 'none':
; CHECK-NEXT: no groups
define void @none(ptr noalias %in, ptr noalias %out, i64 %count) {
entry:
  br label %items
items:
  %item = phi i64 [ 0, %entry ], [ %item.next, %items ]
  %two = shl nuw nsw i64 %item, 1
  %even = getelementptr inbounds i32, ptr %in, i64 %two
  %odd = getelementptr inbounds i8, ptr %even, i64 4
  %a = load volatile i32, ptr %even
  %b = load volatile i32, ptr %odd
  %ab = sub i32 %a, %b
  %q = getelementptr inbounds i32, ptr %out, i64 %item
  store i32 %ab, ptr %q
  %item.next = add nuw nsw i64 %item, 1
  %more = icmp ult i64 %item.next, %count
  br i1 %more, label %items, label %done, !llvm.loop !0
done:
  ret void
}

!0 = distinct !{!0, !1}
!1 = !{!"quern.item-loop"}
