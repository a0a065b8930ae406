; SPDX-License-Identifier: Apache-2.0
; SPDX-FileCopyrightText: The Quern authors
; A condition that differs between work-items, or between iterations of an inner loop, is not one to unswitch on.
; RUN: %quernc --passes=unswitch-items %s | FileCheck %s

; CHECK-NOT: unswitched
define void @divergent(ptr noalias %in, ptr noalias %out, i64 %index, i64 %count) {
entry:
  br label %items
items:
  %item = phi i64 [ 0, %entry ], [ %item.next, %latch ]
  %first = icmp ult i64 %item, %index
  %x = select i1 %first, i64 %item, i64 %index
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

define void @in_loop(ptr noalias %in, ptr noalias %out, i64 %index, i64 %count) {
entry:
  br label %items
items:
  %item = phi i64 [ 0, %entry ], [ %item.next, %latch ]
  br label %inner
inner:
  %k = phi i64 [ 0, %items ], [ %k.next, %inner ]
  %first = icmp ult i64 %k, %index
  %x = select i1 %first, i64 %item, i64 %index
  %p = getelementptr inbounds float, ptr %in, i64 %x
  store float 1.0, ptr %p
  %k.next = add i64 %k, 1
  %again = icmp ult i64 %k.next, 9
  br i1 %again, label %inner, label %latch
latch:
  %item.next = add nuw nsw i64 %item, 1
  %more = icmp ult i64 %item.next, %count
  br i1 %more, label %items, label %done, !llvm.loop !2
done:
  ret void
}

; What is loaded in the loop may have been stored there.
define void @loaded(ptr %in, ptr %out, ptr dereferenceable(8) align 8 %axis, i64 %index, i64 %count) {
entry:
  br label %items
items:
  %item = phi i64 [ 0, %entry ], [ %item.next, %latch ]
  %case = load i64, ptr %axis
  switch i64 %case, label %along [
    i64 0, label %across
  ]
along:
  br label %join
across:
  br label %join
join:
  %x = phi i64 [ %item, %along ], [ %index, %across ]
  %p = getelementptr inbounds i64, ptr %in, i64 %x
  %value = load i64, ptr %p
  %q = getelementptr inbounds i64, ptr %out, i64 %item
  store i64 %value, ptr %q
  br label %latch
latch:
  %item.next = add nuw nsw i64 %item, 1
  %more = icmp ult i64 %item.next, %count
  br i1 %more, label %items, label %done, !llvm.loop !3
done:
  ret void
}

!0 = distinct !{!0, !1}
!1 = !{!"quern.item-loop"}
!2 = distinct !{!2, !1}
!3 = distinct !{!3, !1}
