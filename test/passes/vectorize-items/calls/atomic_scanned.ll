; SPDX-License-Identifier: Apache-2.0
; SPDX-FileCopyrightText: The Quern authors
; Where results are used, each lane finds what it would have found if the lanes came in order.
; RUN: %quernc --passes="vectorize-items<width=8>" %s | FileCheck %s

; CHECK-LABEL: @atomic_scanned(
; CHECK-COUNT-3: add <8 x i32>
; CHECK: %[[OLD:.*]] = atomicrmw add ptr %sum, i32 %
; CHECK: insertelement <8 x i32> poison, i32 %[[OLD]], i64 0
; CHECK: call void @llvm.masked.store.v8i32
; CHECK-NOT: atomicrmw
; CHECK: masked.latch:
define void @atomic_scanned(ptr noalias %in, ptr noalias %out, ptr %sum, i64 %count) {
entry:
  br label %items
items:
  %item = phi i64 [ 0, %entry ], [ %item.next, %items ]
  %p = getelementptr inbounds i32, ptr %in, i64 %item
  %x = load i32, ptr %p
  %old = atomicrmw add ptr %sum, i32 %x monotonic
  %q = getelementptr inbounds i32, ptr %out, i64 %item
  store i32 %old, ptr %q
  %item.next = add nuw nsw i64 %item, 1
  %more = icmp ult i64 %item.next, %count
  br i1 %more, label %items, label %done, !llvm.loop !0
done:
  ret void
}

!0 = distinct !{!0, !1}
!1 = !{!"quern.item-loop"}
