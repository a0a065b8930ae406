; SPDX-License-Identifier: Apache-2.0
; SPDX-FileCopyrightText: The Quern authors
; A sum over the sub-group is one over the vector's active lanes; the others add nothing.
; RUN: %quernc --passes="vectorize-items<>" %s | FileCheck %s

; CHECK-LABEL: @reduce(
; CHECK: select <8 x i1> %{{.*}}, <8 x i32> %{{.*}}, <8 x i32> zeroinitializer
; CHECK: add <4 x i32>
; CHECK: add <2 x i32>
; CHECK: %[[SUM:.*]] = extractelement <1 x i32> %{{.*}}, i64 0
; CHECK: insertelement <8 x i32> poison, i32 %[[SUM]], i64 0
define void @reduce(ptr noalias %in, ptr noalias %out, i64 %count) "quern-sub-groups"="8" {
entry:
  br label %items
items:
  %item = phi i64 [ 0, %entry ], [ %item.next, %items ]
  %p = getelementptr inbounds i32, ptr %in, i64 %item
  %x = load i32, ptr %p
  %r = call i32 @__quern_sub_group_reduce_add(i32 %x)
  %q = getelementptr inbounds i32, ptr %out, i64 %item
  store i32 %r, ptr %q
  %item.next = add nuw nsw i64 %item, 1
  %more = icmp ult i64 %item.next, %count
  br i1 %more, label %items, label %done, !llvm.loop !0
done:
  ret void
}

declare i32 @__quern_sub_group_reduce_add(i32) convergent memory(none)

!0 = distinct !{!0, !1}
!1 = !{!"quern.item-loop"}
