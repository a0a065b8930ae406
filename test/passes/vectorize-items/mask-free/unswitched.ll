; SPDX-License-Identifier: Apache-2.0
; SPDX-FileCopyrightText: The Quern authors
; A branch that is the same for all rows divides them before: each side has its own loop over rows.
; RUN: %quernc --passes="vectorize-items<width=8;no-jam>" %s | FileCheck %s

; CHECK-LABEL: @unswitched(
; CHECK: br i1 %c, label %unmasked.unswitched, label %unmasked.unswitched{{[0-9]+}}
; CHECK: unmasked.y:
; CHECK-NOT: br i1 %c
; CHECK: unmasked.y.latch:
define void @unswitched(ptr noalias %in, ptr noalias %out, i64 %pitch, i1 %c, i64 %width, i64 %height) {
entry:
  br label %rows
rows:
  %y = phi i64 [ 0, %entry ], [ %y.next, %rows.next ]
  br label %items
items:
  %item = phi i64 [ 0, %rows ], [ %item.next, %next ]
  %row = mul i64 %y, %pitch
  %at = add i64 %row, %item
  %p = getelementptr inbounds float, ptr %in, i64 %at
  %x = load float, ptr %p
  %q = getelementptr inbounds float, ptr %out, i64 %at
  br i1 %c, label %then, label %else
then:
  store float %x, ptr %q
  br label %next
else:
  store float 2.0, ptr %q
  br label %next
next:
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
