; SPDX-License-Identifier: Apache-2.0
; SPDX-FileCopyrightText: The Quern authors
; Coordinates in a vector, of which a switch chooses one. Each case has a copy, and the default.
; RUN: %quernc --passes=unswitch-items %s | FileCheck %s

; CHECK-LABEL: @slice(
; CHECK: icmp eq i32 {{.*}}, 0
; CHECK: store float
; CHECK: icmp eq i32 {{.*}}, 1
; CHECK-COUNT-2: store float
; CHECK-NOT: store float
define void @slice(ptr noalias %in, ptr noalias %out, i32 %axis, i32 %index, i64 %count) {
entry:
  br label %items
items:
  %item = phi i64 [ 0, %entry ], [ %item.next, %latch ]
  %id = trunc i64 %item to i32
  switch i32 %axis, label %third [
    i32 0, label %first
    i32 1, label %second
  ]
first:
  %first.x = insertelement <2 x i32> poison, i32 %index, i64 0
  %first.xy = insertelement <2 x i32> %first.x, i32 %id, i64 1
  br label %join
second:
  %second.x = insertelement <2 x i32> poison, i32 %id, i64 0
  %second.xy = insertelement <2 x i32> %second.x, i32 %index, i64 1
  br label %join
third:
  %third.x = insertelement <2 x i32> poison, i32 %id, i64 0
  %third.xy = insertelement <2 x i32> %third.x, i32 %id, i64 1
  br label %join
join:
  %xy = phi <2 x i32> [ %first.xy, %first ], [ %second.xy, %second ], [ %third.xy, %third ]
  %low = extractelement <2 x i32> %xy, i64 0
  %x = zext i32 %low to i64
  %p = getelementptr inbounds float, ptr %in, i64 %x
  %value = load float, ptr %p
  %q = getelementptr inbounds float, ptr %out, i64 %item
  store float %value, ptr %q
  br label %latch
latch:
  %item.next = add nuw nsw i64 %item, 1
  %more = icmp ult i64 %item.next, %count
  br i1 %more, label %items, label %done, !llvm.loop !0
done:
  ret void
}

!0 = distinct !{!0, !1}
!1 = !{!"quern.item-loop"}
