; SPDX-License-Identifier: Apache-2.0
; SPDX-FileCopyrightText: The Quern authors
; A uniform branch inside of a divergent side: what is left for other lanes stays deferred on both ways.
; RUN: %quernc --passes="print<linearization>" %s 2>&1 >/dev/null | FileCheck %s

; CHECK-LABEL: Linearization of 'uniform_in_divergent':
; CHECK: items: -> else
; CHECK-NEXT: else: -> then, deferred then, with no active lane -> then, own mask
; CHECK-NEXT: then: -> first -> second, deferred next, with no active lane -> next, own mask
; CHECK-NEXT: second: -> next, deferred next
; CHECK-NEXT: first: -> next, deferred next
; CHECK-NEXT: next: -> return
define void @uniform_in_divergent(ptr noalias %in, ptr noalias %out, i1 %u, i64 %count) {
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
  br i1 %u, label %first, label %second
first:
  store i32 1, ptr %q
  br label %next
second:
  store i32 3, ptr %q
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
