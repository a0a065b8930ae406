; SPDX-License-Identifier: Apache-2.0
; SPDX-FileCopyrightText: The Quern authors
; An addition to one address is one atomic of the lanes' sum.
; RUN: %quernc --passes="vectorize-items<width=8>" %s | FileCheck %s

; CHECK-LABEL: @atomic_reduced(
; CHECK: select <8 x i1> %{{.*}}, <8 x i32> %{{.*}}, <8 x i32> zeroinitializer
; CHECK: add <4 x i32>
; CHECK: add <2 x i32>
; CHECK: %[[SUM:.*]] = extractelement <1 x i32> %{{.*}}, i64 0
; CHECK: atomicrmw add ptr %sum, i32 %[[SUM]] monotonic
; CHECK-NOT: atomicrmw
; CHECK: masked.latch:
define void @atomic_reduced(ptr noalias %in, ptr %sum, i64 %count) {
entry:
  br label %items
items:
  %item = phi i64 [ 0, %entry ], [ %item.next, %items ]
  %p = getelementptr inbounds i32, ptr %in, i64 %item
  %x = load i32, ptr %p
  %old = atomicrmw add ptr %sum, i32 %x monotonic
  %item.next = add nuw nsw i64 %item, 1
  %more = icmp ult i64 %item.next, %count
  br i1 %more, label %items, label %done, !llvm.loop !0
done:
  ret void
}

!0 = distinct !{!0, !1}
!1 = !{!"quern.item-loop"}
