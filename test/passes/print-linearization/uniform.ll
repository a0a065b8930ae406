; SPDX-License-Identifier: Apache-2.0
; SPDX-FileCopyrightText: The Quern authors
; A branch that all take the same way keeps both successors, and the masks.
; RUN: %quernc --passes="print<linearization>" %s 2>&1 >/dev/null | FileCheck %s

; CHECK-LABEL: Linearization of 'uniform':
; CHECK-NEXT: entry: -> items, own mask
; CHECK-NEXT: items: -> then -> else
; CHECK-NEXT: else: -> next
; CHECK-NEXT: then: -> next
; CHECK-NEXT: next: -> return
; CHECK-NEXT: return: end
define void @uniform(ptr noalias %out, i1 %c, i64 %count) {
entry:
  br label %items
items:
  %item = phi i64 [ 0, %entry ], [ %item.next, %next ]
  %q = getelementptr inbounds i32, ptr %out, i64 %item
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
