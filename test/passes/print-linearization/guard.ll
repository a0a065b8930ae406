; SPDX-License-Identifier: Apache-2.0
; SPDX-FileCopyrightText: The Quern authors
; Costly code is skipped with no active lane, and so is a store to one address, which must not happen then.
; RUN: %quernc --passes="print<linearization>" %s 2>&1 >/dev/null | FileCheck %s

; CHECK-LABEL: Linearization of 'costly':
; CHECK: then: -> next, deferred next, with no active lane -> next, own mask
; CHECK-LABEL: Linearization of 'one_address':
; CHECK: then: -> next, deferred next, with no active lane -> next, own mask
define void @costly(ptr noalias %in, ptr noalias %out, i64 %count) {
entry:
  br label %items
items:
  %item = phi i64 [ 0, %entry ], [ %item.next, %next ]
  %p = getelementptr inbounds float, ptr %in, i64 %item
  %x = load float, ptr %p
  %q = getelementptr inbounds float, ptr %out, i64 %item
  %c = fcmp ogt float %x, 0.0
  br i1 %c, label %then, label %next
then:
  %d0 = fdiv float %x, 3.0
  %d1 = fdiv float %d0, 3.0
  %d2 = fdiv float %d1, 3.0
  %e = fadd float %x, 1.0
  br label %next
next:
  %r = phi float [ %x, %items ], [ %d2, %then ]
  store float %r, ptr %q
  %item.next = add nuw nsw i64 %item, 1
  %more = icmp ult i64 %item.next, %count
  br i1 %more, label %items, label %done, !llvm.loop !0
done:
  ret void
}

define void @one_address(ptr noalias %in, ptr noalias %out, i64 %count) {
entry:
  br label %items
items:
  %item = phi i64 [ 0, %entry ], [ %item.next, %next ]
  %p = getelementptr inbounds i32, ptr %in, i64 %item
  %x = load i32, ptr %p
  %c = icmp sgt i32 %x, 100
  br i1 %c, label %then, label %next
then:
  store i32 1, ptr %out
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
