; SPDX-License-Identifier: Apache-2.0
; SPDX-FileCopyrightText: The Quern authors
; Both sides of a branch that work-items take differently follow each other, each under its own mask.
; RUN: %quernc --passes="print<linearization>" %s 2>&1 >/dev/null | FileCheck %s

; CHECK-LABEL: Linearization of 'diamond':
; CHECK-NEXT: entry: -> items, own mask
; CHECK-NEXT: items: -> else
; CHECK-NEXT: else: -> then, deferred then, with no active lane -> then, own mask
; CHECK-NEXT: then: -> next, deferred next, with no active lane -> next, own mask
; CHECK-NEXT: next: -> return
; CHECK-NEXT: return: end
define void @diamond(ptr noalias %in, ptr noalias %out, i64 %count) {
entry:
  br label %items
items:
  %item = phi i64 [ 0, %entry ], [ %item.next, %next ]
  %p = getelementptr inbounds i32, ptr %in, i64 %item
  %x = load i32, ptr %p
  %q = getelementptr inbounds i32, ptr %out, i64 %item
  %c = icmp sgt i32 %x, 0
  br i1 %c, label %then, label %else
then:
  store i32 1, ptr %q
  br label %next
else:
  store i32 2, ptr %q
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
