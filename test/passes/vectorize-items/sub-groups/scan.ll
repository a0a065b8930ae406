; SPDX-License-Identifier: Apache-2.0
; SPDX-FileCopyrightText: The Quern authors
; A scan adds lanes at distances of 1, 2 and 4.
; RUN: %quernc --passes="vectorize-items<>" %s | FileCheck %s

; CHECK-LABEL: @scan(
; CHECK: shufflevector <8 x i32> %{{.*}}, <8 x i32> zeroinitializer, <8 x i32> <i32 8, i32 0, i32 1,
; CHECK: add <8 x i32>
; CHECK: shufflevector <8 x i32> %{{.*}}, <8 x i32> zeroinitializer, <8 x i32> <i32 8, i32 8, i32 0,
; CHECK: add <8 x i32>
; CHECK: shufflevector <8 x i32> %{{.*}}, <8 x i32> zeroinitializer, <8 x i32> <i32 8, i32 8, i32 8, i32 8, i32 0,
; CHECK: %[[ALL:.*]] = add <8 x i32>
; CHECK: call void @llvm.masked.store.v8i32.p0(<8 x i32> %[[ALL]],
define void @scan(ptr noalias %in, ptr noalias %out, i64 %count) "quern-sub-groups"="8" {
entry:
  br label %items
items:
  %item = phi i64 [ 0, %entry ], [ %item.next, %items ]
  %p = getelementptr inbounds i32, ptr %in, i64 %item
  %x = load i32, ptr %p
  %r = call i32 @__quern_sub_group_scan_inclusive_add(i32 %x)
  %q = getelementptr inbounds i32, ptr %out, i64 %item
  store i32 %r, ptr %q
  %item.next = add nuw nsw i64 %item, 1
  %more = icmp ult i64 %item.next, %count
  br i1 %more, label %items, label %done, !llvm.loop !0
done:
  ret void
}

declare i32 @__quern_sub_group_scan_inclusive_add(i32) convergent memory(none)

!0 = distinct !{!0, !1}
!1 = !{!"quern.item-loop"}
