; SPDX-License-Identifier: Apache-2.0
; SPDX-FileCopyrightText: The Quern authors
; The sub-group's size is the number of lanes, and a work-item's number in it that of its lane.
; RUN: %quernc --passes="vectorize-items<>" %s | FileCheck %s

; CHECK-LABEL: @place(
; CHECK: %[[SIZE:.*]] = add i32 8, 0
; CHECK: insertelement <8 x i32> poison, i32 %[[SIZE]], i64 0
; CHECK: add <8 x i32> %{{.*}}, <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7>
define void @place(ptr noalias %in, ptr noalias %out, i64 %count) "quern-sub-groups"="8" {
entry:
  br label %items
items:
  %item = phi i64 [ 0, %entry ], [ %item.next, %items ]
  %p = getelementptr inbounds i32, ptr %in, i64 %item
  %x = load i32, ptr %p
  %width = call i32 @__quern_sub_group_width()
  %id = call i32 @__quern_sub_group_local_id()
  %r = add i32 %width, %id
  %q = getelementptr inbounds i32, ptr %out, i64 %item
  store i32 %r, ptr %q
  %item.next = add nuw nsw i64 %item, 1
  %more = icmp ult i64 %item.next, %count
  br i1 %more, label %items, label %done, !llvm.loop !0
done:
  ret void
}

declare i32 @__quern_sub_group_width()
declare i32 @__quern_sub_group_local_id()

!0 = distinct !{!0, !1}
!1 = !{!"quern.item-loop"}
