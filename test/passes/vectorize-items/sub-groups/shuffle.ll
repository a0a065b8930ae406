; SPDX-License-Identifier: Apache-2.0
; SPDX-FileCopyrightText: The Quern authors
; A shuffle by constants is one of vectors, another one goes through memory.
; RUN: %quernc --passes="vectorize-items<>" %s | FileCheck %s

; CHECK-LABEL: @by_own_value(
; CHECK: store <8 x i32>
; CHECK: gather
; CHECK-LABEL: @by_constant(
; CHECK-NOT: gather
; CHECK: ret void
define void @by_own_value(ptr noalias %in, ptr noalias %out, i64 %count) "quern-sub-groups"="8" {
entry:
  br label %items
items:
  %item = phi i64 [ 0, %entry ], [ %item.next, %items ]
  %p = getelementptr inbounds i32, ptr %in, i64 %item
  %x = load i32, ptr %p
  %r = call i32 @__quern_sub_group_shuffle(i32 %x, i32 %x)
  %q = getelementptr inbounds i32, ptr %out, i64 %item
  store i32 %r, ptr %q
  %item.next = add nuw nsw i64 %item, 1
  %more = icmp ult i64 %item.next, %count
  br i1 %more, label %items, label %done, !llvm.loop !0
done:
  ret void
}



define void @by_constant(ptr noalias %in, ptr noalias %out, i64 %count) "quern-sub-groups"="8" {
entry:
  br label %items
items:
  %item = phi i64 [ 0, %entry ], [ %item.next, %items ]
  %p = getelementptr inbounds i32, ptr %in, i64 %item
  %x = load i32, ptr %p
  %r = call i32 @__quern_sub_group_shuffle(i32 %x, i32 5)
  %q = getelementptr inbounds i32, ptr %out, i64 %item
  store i32 %r, ptr %q
  %item.next = add nuw nsw i64 %item, 1
  %more = icmp ult i64 %item.next, %count
  br i1 %more, label %items, label %done, !llvm.loop !0
done:
  ret void
}

declare i32 @__quern_sub_group_shuffle(i32, i32) convergent memory(none)

!0 = distinct !{!0, !1}
!1 = !{!"quern.item-loop"}
