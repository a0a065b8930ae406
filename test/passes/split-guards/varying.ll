; SPDX-License-Identifier: Apache-2.0
; SPDX-FileCopyrightText: The Quern authors
; An index that may be poison where another condition does not hold is no bound: its comparison stays behind it.
; RUN: %quernc --passes=split-guards %s | FileCheck %s

; CHECK-LABEL: @varying(
; CHECK: br i1 %uniform, label %guard, label %next
; CHECK: guard:
; CHECK-NEXT: %[[REST:.*]] = select i1 %small, i1 %left, i1 false
; CHECK-NEXT: br i1 %[[REST]], label %body, label %next
define void @varying(ptr noalias %out, i64 %count, i32 %end, i1 %uniform) {
entry:
  br label %items
items:
  %item = phi i64 [ 0, %entry ], [ %item.next, %next ]
  %x = trunc i64 %item to i32
  %small = icmp ne i32 %x, 77
  %twice = mul nsw i32 %x, %x
  %left = icmp slt i32 %twice, %end
  %a = select i1 %small, i1 %left, i1 false
  %b = and i1 %a, %uniform
  br i1 %b, label %body, label %next
body:
  %q = getelementptr inbounds i32, ptr %out, i64 %item
  store i32 7, ptr %q
  br label %next
next:
  %item.next = add nuw nsw i64 %item, 1
  %more = icmp ult i64 %item.next, %count
  br i1 %more, label %items, label %done, !llvm.loop !0
done:
  ret void
}

!0 = distinct !{!0, !1}
!1 = !{!"quern.item-loop"}
