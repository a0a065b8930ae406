; SPDX-License-Identifier: Apache-2.0
; SPDX-FileCopyrightText: The Quern authors
; Addresses with the same stride, invariant ones, and numbers that are no addresses need no copies.
; RUN: %quernc --passes=unswitch-items %s | FileCheck %s

; CHECK-NOT: unswitched
define void @neighbours(ptr noalias %in, ptr noalias %out, i1 %next, i64 %index, i64 %count) {
entry:
  br label %items
items:
  %item = phi i64 [ 0, %entry ], [ %item.next, %latch ]
  %right = add i64 %item, 1
  %left = add i64 %item, %index
  %x = select i1 %next, i64 %right, i64 %left
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

define void @invariant(ptr noalias %in, ptr noalias %out, i1 %next, i64 %index, i64 %count) {
entry:
  br label %items
items:
  %item = phi i64 [ 0, %entry ], [ %item.next, %latch ]
  %x = select i1 %next, i64 %index, i64 3
  %p = getelementptr inbounds float, ptr %in, i64 %x
  %value = load float, ptr %p
  %q = getelementptr inbounds float, ptr %out, i64 %item
  store float %value, ptr %q
  br label %latch
latch:
  %item.next = add nuw nsw i64 %item, 1
  %more = icmp ult i64 %item.next, %count
  br i1 %more, label %items, label %done, !llvm.loop !2
done:
  ret void
}

define void @value(ptr noalias %in, ptr noalias %out, i1 %next, i64 %index, i64 %count) {
entry:
  br label %items
items:
  %item = phi i64 [ 0, %entry ], [ %item.next, %latch ]
  %p = getelementptr inbounds i64, ptr %in, i64 %item
  %loaded = load i64, ptr %p
  %x = select i1 %next, i64 %item, i64 %loaded
  %q = getelementptr inbounds i64, ptr %out, i64 %item
  store i64 %x, ptr %q
  br label %latch
latch:
  %item.next = add nuw nsw i64 %item, 1
  %more = icmp ult i64 %item.next, %count
  br i1 %more, label %items, label %done, !llvm.loop !3
done:
  ret void
}

; The branch guards a loop, which gives an index that is not known.
define void @guard(ptr noalias %in, ptr noalias %out, i1 %any, i64 %count) {
entry:
  br label %items
items:
  %item = phi i64 [ 0, %entry ], [ %item.next, %latch ]
  br i1 %any, label %inner, label %latch
inner:
  %node = phi i64 [ 0, %items ], [ %next, %inner ]
  %p = getelementptr inbounds i64, ptr %in, i64 %node
  %next = load i64, ptr %p
  %again = icmp ult i64 %next, %item
  br i1 %again, label %inner, label %latch
latch:
  %found = phi i64 [ 0, %items ], [ %next, %inner ]
  %q = getelementptr inbounds i64, ptr %in, i64 %found
  store i64 1, ptr %q
  %item.next = add nuw nsw i64 %item, 1
  %more = icmp ult i64 %item.next, %count
  br i1 %more, label %items, label %done, !llvm.loop !4
done:
  ret void
}

; It was unswitched before it was left undecided.
define void @undecided(ptr noalias %in, ptr noalias %out, i1 %whole, i64 %index, i64 %count) "quern-undecided" {
entry:
  br label %items
items:
  %item = phi i64 [ 0, %entry ], [ %item.next, %items ]
  %x = select i1 %whole, i64 %item, i64 %index
  %p = getelementptr inbounds float, ptr %in, i64 %x
  store float 1.0, ptr %p
  %item.next = add nuw nsw i64 %item, 1
  %more = icmp ult i64 %item.next, %count
  br i1 %more, label %items, label %done, !llvm.loop !5
done:
  ret void
}

!0 = distinct !{!0, !1}
!1 = !{!"quern.item-loop"}
!2 = distinct !{!2, !1}
!3 = distinct !{!3, !1}
!4 = distinct !{!4, !1}
!5 = distinct !{!5, !1}
