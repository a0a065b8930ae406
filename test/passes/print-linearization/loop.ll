; SPDX-License-Identifier: Apache-2.0
; SPDX-FileCopyrightText: The Quern authors
; A loop that lanes leave one by one goes on from its latch until the last has left.
; RUN: %quernc --passes="print<linearization>" %s 2>&1 >/dev/null | FileCheck %s

; CHECK-LABEL: Linearization of 'loop':
; CHECK: items: -> loop
; CHECK-NEXT: loop: -> exit.edge, own mask
; CHECK-NEXT: exit.edge: -> latch, deferred latch, own mask
; CHECK-NEXT: latch: -> loop -> loop.exit
; CHECK-NEXT: loop.exit: -> next
; CHECK-NEXT: next: -> return
define void @loop(ptr noalias %in, ptr noalias %out, i64 %count) {
entry:
  br label %items
items:
  %item = phi i64 [ 0, %entry ], [ %item.next, %next ]
  %p = getelementptr inbounds i32, ptr %in, i64 %item
  %n = load i32, ptr %p
  br label %loop
loop:
  %x = phi i32 [ %n, %items ], [ %x.next, %loop ]
  %x.next = lshr i32 %x, 1
  %again = icmp ugt i32 %x.next, 7
  br i1 %again, label %loop, label %next
next:
  %q = getelementptr inbounds i32, ptr %out, i64 %item
  store i32 %x.next, ptr %q
  %item.next = add nuw nsw i64 %item, 1
  %more = icmp ult i64 %item.next, %count
  br i1 %more, label %items, label %done, !llvm.loop !0
done:
  ret void
}

!0 = distinct !{!0, !1}
!1 = !{!"quern.item-loop"}
