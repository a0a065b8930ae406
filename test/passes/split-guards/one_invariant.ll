; SPDX-License-Identifier: Apache-2.0
; SPDX-FileCopyrightText: The Quern authors
; A condition that does not vary, before one that is no bound: a branch of its own.
; RUN: %quernc --passes=split-guards %s | FileCheck %s

; CHECK-LABEL: @one_invariant(
; CHECK: items:
; CHECK: br i1 %uniform, label %guard, label %next
; CHECK: guard:
; CHECK-NEXT: br i1 %odd, label %body, label %next
define void @one_invariant(ptr noalias %out, i64 %count, i1 %uniform) {
entry:
  br label %items
items:
  %item = phi i64 [ 0, %entry ], [ %item.next, %next ]
  %bit = trunc i64 %item to i1
  %odd = icmp eq i1 %bit, true
  %a = select i1 %uniform, i1 %odd, i1 false
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
