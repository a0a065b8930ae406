; SPDX-License-Identifier: Apache-2.0
; SPDX-FileCopyrightText: The Quern authors
; A loop that work-items leave at different turns runs until the last of a live mask has left.
; RUN: %quernc --passes="vectorize-items<width=8>,sroa" %s | FileCheck %s

; CHECK-LABEL: @loop(
; CHECK: turn.wide:
; CHECK-DAG: %[[LIVE:.*]] = phi <8 x i1>
; CHECK-DAG: %[[X:.*]] = phi <8 x i32>
; CHECK: %[[HALF:.*]] = lshr <8 x i32> %[[X]], splat (i32 1)
; CHECK: %[[AGAIN:.*]] = icmp ugt <8 x i32> %[[HALF]], zeroinitializer
; CHECK: select <8 x i1> %[[LIVE]], <8 x i1> %[[AGAIN]], <8 x i1> zeroinitializer
define void @loop(ptr noalias %in, ptr noalias %out, i64 %count) {
entry:
  br label %items
items:
  %item = phi i64 [ 0, %entry ], [ %item.next, %next ]
  %p = getelementptr inbounds i32, ptr %in, i64 %item
  %q = getelementptr inbounds i32, ptr %out, i64 %item
  %n = load i32, ptr %p
  br label %turn
turn:
  %x = phi i32 [ %n, %items ], [ %half, %turn ]
  %turns = phi i32 [ 0, %items ], [ %turns.next, %turn ]
  %half = lshr i32 %x, 1
  %turns.next = add i32 %turns, 1
  %again = icmp ugt i32 %half, 0
  br i1 %again, label %turn, label %leave
leave:
  store i32 %turns.next, ptr %q
  br label %next
next:
  %item.next = add nuw nsw i64 %item, 1
  %more = icmp ult i64 %item.next, %count
  br i1 %more, label %items, label %done, !llvm.loop !0
done:
  ret void
}

!0 = distinct !{!0, !1}
!1 = !{!"quern.item-loop"}
