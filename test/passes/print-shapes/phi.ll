; SPDX-License-Identifier: Apache-2.0
; SPDX-FileCopyrightText: The Quern authors
; Behind a branch that all take the same way, a phi is uniform.
; RUN: %quernc --passes="print<shapes>" %s 2>&1 >/dev/null | FileCheck %s

; CHECK: UNIFORM: {{ *}}%same = phi
define void @phi(ptr %in, i1 %c, i64 %count) {
entry:
  br label %items
items:
  %item = phi i64 [ 0, %entry ], [ %item.next, %next ]
  br i1 %c, label %then, label %join
then:
  br label %join
join:
  %same = phi i64 [ 1, %items ], [ 2, %then ]
  %p = getelementptr inbounds i64, ptr %in, i64 %item
  store i64 %same, ptr %p
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
