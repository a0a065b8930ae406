; SPDX-License-Identifier: Apache-2.0
; SPDX-FileCopyrightText: The Quern authors
; A ballot is the mask of those active lanes whose operand is not zero.
; RUN: %quernc --passes="vectorize-items<>" %s | FileCheck %s

; CHECK-LABEL: @ballot(
; CHECK: %[[SET:.*]] = icmp ne <8 x i32> %{{.*}}, zeroinitializer
; CHECK: %[[ON:.*]] = select <8 x i1> %{{.*}}, <8 x i1> %[[SET]], <8 x i1> zeroinitializer
; CHECK: %[[BITS:.*]] = bitcast <8 x i1> %[[ON]] to i8
; CHECK: zext i8 %[[BITS]] to i64
define void @ballot(ptr noalias %in, ptr noalias %out, i64 %count) "quern-sub-groups"="8" {
entry:
  br label %items
items:
  %item = phi i64 [ 0, %entry ], [ %item.next, %items ]
  %p = getelementptr inbounds i32, ptr %in, i64 %item
  %x = load i32, ptr %p
  %r = call i64 @__quern_sub_group_ballot(i32 %x)
  %q = getelementptr inbounds i64, ptr %out, i64 %item
  store i64 %r, ptr %q
  %item.next = add nuw nsw i64 %item, 1
  %more = icmp ult i64 %item.next, %count
  br i1 %more, label %items, label %done, !llvm.loop !0
done:
  ret void
}

declare i64 @__quern_sub_group_ballot(i32) convergent memory(none)

!0 = distinct !{!0, !1}
!1 = !{!"quern.item-loop"}
