; SPDX-License-Identifier: Apache-2.0
; SPDX-FileCopyrightText: The Quern authors
; The loops of all dimensions are cloned, with what LICM moved between them, but not a loop of the program with other
; work in it. A value that changes in an inner loop alone is the same for all work-items.
; RUN: %quernc --passes=unswitch-items %s | FileCheck %s

; CHECK-LABEL: @nest(
; CHECK: program:
; CHECK: call void @work()
; CHECK: br i1 {{.*}}, label %{{.*}}.unswitched, label %
; CHECK: lines.unswitched:
; CHECK: items.unswitched:
; CHECK: inner.unswitched:
; CHECK: lines:
; CHECK: items:
; CHECK: inner:
; CHECK-NOT: {{^}}inner
define void @nest(ptr noalias %in, ptr noalias %out, i1 %along_x, i64 %height, i64 %count) {
entry:
  br label %program
program:
  %round = phi i64 [ 0, %entry ], [ %round.next, %rounds ]
  call void @work()
  br label %lines
lines:
  %line.id = phi i64 [ 0, %program ], [ %line.next, %line.latch ]
  %moved = load float, ptr %out
  br label %items
items:
  %item = phi i64 [ 0, %lines ], [ %item.next, %latch ]
  br label %inner
inner:
  %k = phi i64 [ 0, %items ], [ %k.next, %inner ]
  %x = select i1 %along_x, i64 %k, i64 %item
  %y = select i1 %along_x, i64 %k, i64 %line.id
  %line = mul i64 %y, 100
  %index = add i64 %line, %x
  %p = getelementptr inbounds float, ptr %in, i64 %index
  store float %moved, ptr %p
  %k.next = add i64 %k, 1
  %again = icmp ult i64 %k.next, 9
  br i1 %again, label %inner, label %latch
latch:
  %item.next = add nuw nsw i64 %item, 1
  %more = icmp ult i64 %item.next, %count
  br i1 %more, label %items, label %line.latch, !llvm.loop !0
line.latch:
  %line.next = add nuw nsw i64 %line.id, 1
  %more.lines = icmp ult i64 %line.next, %height
  br i1 %more.lines, label %lines, label %rounds
rounds:
  %round.next = add nuw nsw i64 %round, 1
  %more.rounds = icmp ult i64 %round.next, 3
  br i1 %more.rounds, label %program, label %done
done:
  ret void
}

declare void @work()

!0 = distinct !{!0, !1}
!1 = !{!"quern.item-loop"}
