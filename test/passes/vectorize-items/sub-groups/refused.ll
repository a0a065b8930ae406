; SPDX-License-Identifier: Apache-2.0
; SPDX-FileCopyrightText: The Quern authors
; Where a region cannot be vectorized, each work-item is a sub-group of its own.
; RUN: %quernc --passes="vectorize-items<>" %s | FileCheck %s

; CHECK-LABEL: @refused(
; CHECK-NOT: <8 x
; CHECK: store i32 1, ptr %q
; CHECK: ret void
define void @refused(ptr noalias %out, i64 %count) "quern-sub-groups"="8" {
entry:
  br label %items
items:
  %item = phi i64 [ 0, %entry ], [ %item.next, %next ]
  %width = call i32 @__quern_sub_group_width()
  %q = getelementptr inbounds i32, ptr %out, i64 %item
  %x = load i32, ptr %q
  %c = icmp eq i32 %x, 0
  br i1 %c, label %forever, label %next
forever:
  br label %forever
next:
  store i32 %width, ptr %q
  %item.next = add nuw nsw i64 %item, 1
  %more = icmp ult i64 %item.next, %count
  br i1 %more, label %items, label %done, !llvm.loop !0
done:
  ret void
}

declare i32 @__quern_sub_group_width()

!0 = distinct !{!0, !1}
!1 = !{!"quern.item-loop"}
