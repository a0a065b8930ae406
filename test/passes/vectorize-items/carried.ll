; SPDX-License-Identifier: Apache-2.0
; SPDX-FileCopyrightText: The Quern authors
; A loop in which something is carried from work-item to work-item is refused, and says why.
; RUN: %quernc --passes="vectorize-items<width=8>" --remarks=%t.yaml %s | FileCheck %s
; RUN: FileCheck %s --input-file=%t.yaml --check-prefix=REMARK

; CHECK-LABEL: define void @carried(
; CHECK-NOT: <8 x
; CHECK: ret void
; REMARK: --- !Missed
; REMARK-NEXT: Pass: quern-vectorize
; REMARK-NEXT: Name: NotVectorized
; REMARK-NEXT: Function: carried
; REMARK: - String: 'not vectorized: '
; REMARK-NEXT: - Reason: the loop over work-items has a loop-carried value
define void @carried(ptr %out, i64 %count) {
entry:
  br label %items
items:
  %item = phi i64 [ 0, %entry ], [ %item.next, %items ]
  %sum = phi i64 [ 0, %entry ], [ %sum.next, %items ]
  %sum.next = add i64 %sum, %item
  %item.next = add nuw nsw i64 %item, 1
  %more = icmp ult i64 %item.next, %count
  br i1 %more, label %items, label %done, !llvm.loop !0
done:
  store i64 %sum.next, ptr %out
  ret void
}

!0 = distinct !{!0, !1}
!1 = !{!"quern.item-loop"}
