; SPDX-License-Identifier: Apache-2.0
; SPDX-FileCopyrightText: The Quern authors
; What ItemBound takes as it is.
; RUN: %quernc --passes=split-guards %s | FileCheck %s

; CHECK-LABEL: @bound_and_condition(
; CHECK: %a = select i1 %uniform, i1 %left, i1 false
; CHECK-NEXT: br i1 %a, label %body, label %next
; CHECK-NOT: guard
define void @bound_and_condition(ptr noalias %out, i64 %count, i32 %end, i1 %uniform) {
entry:
  br label %items
items:
  %item = phi i64 [ 0, %entry ], [ %item.next, %next ]
  %x = trunc i64 %item to i32
  %left = icmp slt i32 %x, %end
  %a = select i1 %uniform, i1 %left, i1 false
  br i1 %a, label %body, label %next
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
