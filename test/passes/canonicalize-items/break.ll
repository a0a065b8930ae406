; SPDX-License-Identifier: Apache-2.0
; SPDX-FileCopyrightText: The Quern authors
; A loop that work-items leave at two places, in different iterations, is left at its latch: a phi tells whether the
; work-item stays, another one has what it takes along.
; RUN: %quernc --passes="canonicalize-items" %s | FileCheck %s

; CHECK-LABEL: @break(
; CHECK: %[[STAYS:.*]] = phi i1 [ true, %{{[a-z0-9.]+}} ], [ false, %{{[a-z0-9.]+}} ], [ false, %{{[a-z0-9.]+}} ]
; CHECK: phi i32 [ poison, %{{[a-z0-9.]+}} ], [ 100, %{{[a-z0-9.]+}} ], [ %half{{[0-9]*}}, %{{[a-z0-9.]+}} ]
; CHECK-NEXT: br i1 %[[STAYS]], label %
define void @break(ptr noalias %in, ptr noalias %out, i64 %count) {
entry:
  br label %items
items:
  %item = phi i64 [ 0, %entry ], [ %item.next, %next ]
  %p = getelementptr inbounds i32, ptr %in, i64 %item
  %n = load i32, ptr %p
  br label %loop
loop:
  %x = phi i32 [ %n, %items ], [ %half, %more.loop ]
  %zero = icmp eq i32 %x, 0
  br i1 %zero, label %next, label %more.loop
more.loop:
  %half = lshr i32 %x, 1
  %odd = and i32 %half, 1
  %is_odd = icmp eq i32 %odd, 1
  br i1 %is_odd, label %next, label %loop
next:
  %result = phi i32 [ 100, %loop ], [ %half, %more.loop ]
  %q = getelementptr inbounds i32, ptr %out, i64 %item
  store i32 %result, ptr %q
  %item.next = add nuw nsw i64 %item, 1
  %more = icmp ult i64 %item.next, %count
  br i1 %more, label %items, label %done, !llvm.loop !0
done:
  ret void
}

!0 = distinct !{!0, !1}
!1 = !{!"quern.item-loop"}
