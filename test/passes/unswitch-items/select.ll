; SPDX-License-Identifier: Apache-2.0
; SPDX-FileCopyrightText: The Quern authors
; The stride is one in one copy, and nothing in the other.
; RUN: %quernc --passes=unswitch-items %s | FileCheck %s

; CHECK-LABEL: @columns(
; CHECK: entry:
; CHECK: [[WHOLE:%.*]] = freeze i1 %whole
; CHECK: br i1 [[WHOLE]], label %{{.*}}.unswitched, label %{{.*}}
; CHECK: select i1 true, i64 %item.unswitched, i64 %index
; CHECK: select i1 false, i64 %item, i64 %index
define void @columns(ptr noalias %in, ptr noalias %out, i1 %whole, i64 %index, i64 %count) {
entry:
  br label %items
items:
  %item = phi i64 [ 0, %entry ], [ %item.next, %latch ]
  %x = select i1 %whole, i64 %item, i64 %index
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
