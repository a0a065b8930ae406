; SPDX-License-Identifier: Apache-2.0
; SPDX-FileCopyrightText: The Quern authors
; A branch that all take the same way stays one.
; RUN: %quernc --passes="vectorize-items<width=8>,sroa" %s | FileCheck %s

; CHECK-LABEL: @uniform_branch(
; CHECK: masked:
; CHECK: br i1 %c, label %
; CHECK: call void @llvm.masked.store.v8i32
define void @uniform_branch(ptr noalias %out, i1 %c, i64 %count) {
entry:
  br label %items
items:
  %item = phi i64 [ 0, %entry ], [ %item.next, %next ]
  %q = getelementptr inbounds i32, ptr %out, i64 %item
  br i1 %c, label %then, label %next
then:
  store i32 1, ptr %q
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
