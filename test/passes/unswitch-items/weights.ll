; SPDX-License-Identifier: Apache-2.0
; SPDX-FileCopyrightText: The Quern authors
; A switch with branch weights loses a case and its weight.
; RUN: %quernc --passes=unswitch-items %s | FileCheck %s

; CHECK-LABEL: @likely(
; CHECK: icmp eq i32 {{.*}}, 0
; CHECK: items.unswitched:
; CHECK: items:
; CHECK: br i1 %{{.*}}, label %second, label %third
define void @likely(ptr noalias %out, i32 %axis, i64 %index, i64 %count) {
entry:
  br label %items
items:
  %item = phi i64 [ 0, %entry ], [ %item.next, %join ]
  switch i32 %axis, label %third [
    i32 0, label %join
    i32 1, label %second
  ], !prof !2
second:
  br label %join
third:
  br label %join
join:
  %x = phi i64 [ %index, %items ], [ %item, %second ], [ %item, %third ]
  %q = getelementptr inbounds i64, ptr %out, i64 %x
  store i64 %item, ptr %q
  %item.next = add nuw nsw i64 %item, 1
  %more = icmp ult i64 %item.next, %count
  br i1 %more, label %items, label %done, !llvm.loop !0
done:
  ret void
}

!0 = distinct !{!0, !1}
!1 = !{!"quern.item-loop"}
!2 = !{!"branch_weights", i32 1, i32 2000, i32 1}
