; SPDX-License-Identifier: Apache-2.0
; SPDX-FileCopyrightText: The Quern authors
; What must happen once, and in its order, is not repeated for other rows.
; RUN: %quernc --passes="unroll-and-jam-items" %s | FileCheck %s

; CHECK-LABEL: @atomic(
; CHECK-NOT: y.jammed
; CHECK: ret void
define void @atomic(ptr noalias %a, ptr noalias %b, ptr noalias %out, ptr noalias %counter, i64 %n, i64
    %width, i64 %height) {
entry:
  br label %rows
rows:
  %y = phi i64 [ 0, %entry ], [ %y.next, %rows.next ]
  %row = mul i64 %y, %n
  br label %items
items:
  %item = phi i64 [ 0, %rows ], [ %item.next, %next ]
  br label %loop
loop:
  %k = phi i64 [ 0, %items ], [ %k.next, %loop ]
  %sum = phi float [ 0.0, %items ], [ %sum.next, %loop ]
  %a.at = add i64 %row, %k
  %a.p = getelementptr inbounds float, ptr %a, i64 %a.at
  %av = load float, ptr %a.p
  %b.row = mul i64 %k, %width
  %b.at = add i64 %b.row, %item
  %b.p = getelementptr inbounds float, ptr %b, i64 %b.at
  %bv = load float, ptr %b.p
  %old = atomicrmw add ptr %counter, i32 1 monotonic
  %product = fmul float %av, %bv
  %sum.next = fadd float %sum, %product
  %k.next = add nuw nsw i64 %k, 1
  %k.more = icmp ult i64 %k.next, %n
  br i1 %k.more, label %loop, label %next
next:
  %out.row = mul i64 %y, %width
  %out.at = add i64 %out.row, %item
  %q = getelementptr inbounds float, ptr %out, i64 %out.at
  store float %sum.next, ptr %q
  %item.next = add nuw nsw i64 %item, 1
  %more = icmp ult i64 %item.next, %width
  br i1 %more, label %items, label %rows.next, !llvm.loop !0
rows.next:
  %y.next = add nuw nsw i64 %y, 1
  %y.more = icmp ult i64 %y.next, %height
  br i1 %y.more, label %rows, label %done, !llvm.loop !2
done:
  ret void
}

!0 = distinct !{!0, !1}
!1 = !{!"quern.item-loop"}
!2 = distinct !{!2, !3}
!3 = !{!"quern.y-loop"}
