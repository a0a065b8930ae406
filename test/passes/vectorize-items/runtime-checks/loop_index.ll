; SPDX-License-Identifier: Apache-2.0
; SPDX-FileCopyrightText: The Quern authors
; An index of 32 bits in a loop that counts in 64, as a pair of shifts: no test before the loop tells that it does not
; wrap, so each access has one. An index of 8 bits wraps often.
; RUN: %quernc --passes="vectorize-items<width=8>" %s | FileCheck %s

; CHECK-LABEL: @wide(
; CHECK: [[NARROW:%.*]] = trunc i64 %i{{[0-9]*}} to i32
; CHECK: [[NO_WRAP:%.*]] = icmp sle i32 [[NARROW]], 2147483640
; CHECK: br i1 [[NO_WRAP]], label %contiguous, label %gather
define void @wide(ptr noalias %in, ptr noalias %out, i64 %step, i64 %bound, i64 %count) {
entry:
  br label %items
items:
  %item = phi i64 [ 0, %entry ], [ %item.next, %latch ]
  br label %loop
loop:
  %i = phi i64 [ %item, %items ], [ %i.next, %loop ]
  %trip = phi i64 [ 0, %items ], [ %trip.next, %loop ]
  %sum = phi float [ 0.0, %items ], [ %sum.next, %loop ]
  %shifted = shl i64 %i, 32
  %index = ashr exact i64 %shifted, 32
  %p = getelementptr inbounds float, ptr %in, i64 %index
  %x = load float, ptr %p
  %sum.next = fadd float %sum, %x
  %i.next = add i64 %i, %step
  %trip.next = add nuw nsw i64 %trip, 1
  %again = icmp ult i64 %trip.next, %bound
  br i1 %again, label %loop, label %latch
latch:
  %q = getelementptr inbounds float, ptr %out, i64 %item
  store float %sum.next, ptr %q
  %item.next = add nuw nsw i64 %item, 1
  %more = icmp ult i64 %item.next, %count
  br i1 %more, label %items, label %done, !llvm.loop !0
done:
  ret void
}

; CHECK-LABEL: @narrow(
; CHECK-NOT: label %contiguous
; CHECK: ret void
define void @narrow(ptr noalias %in, ptr noalias %out, i64 %step, i64 %bound, i64 %count) {
entry:
  br label %items
items:
  %item = phi i64 [ 0, %entry ], [ %item.next, %latch ]
  br label %loop
loop:
  %i = phi i64 [ %item, %items ], [ %i.next, %loop ]
  %trip = phi i64 [ 0, %items ], [ %trip.next, %loop ]
  %sum = phi float [ 0.0, %items ], [ %sum.next, %loop ]
  %shifted = shl i64 %i, 56
  %index = ashr exact i64 %shifted, 56
  %p = getelementptr inbounds float, ptr %in, i64 %index
  %x = load float, ptr %p
  %sum.next = fadd float %sum, %x
  %i.next = add i64 %i, %step
  %trip.next = add nuw nsw i64 %trip, 1
  %again = icmp ult i64 %trip.next, %bound
  br i1 %again, label %loop, label %latch
latch:
  %q = getelementptr inbounds float, ptr %out, i64 %item
  store float %sum.next, ptr %q
  %item.next = add nuw nsw i64 %item, 1
  %more = icmp ult i64 %item.next, %count
  br i1 %more, label %items, label %done, !llvm.loop !1
done:
  ret void
}

!0 = distinct !{!0, !2}
!1 = distinct !{!1, !2}
!2 = !{!"quern.item-loop"}
