; SPDX-License-Identifier: Apache-2.0
; SPDX-FileCopyrightText: The Quern authors
; Contiguous accesses are skipped with no active lane, as their address may be in a page that is not mapped then. Those
; that are gathered or scattered access nothing.
; RUN: %quernc --passes="print<linearization>" %s 2>&1 >/dev/null | FileCheck %s

; CHECK-LABEL: Linearization of 'contiguous':
; CHECK: then: -> next, deferred next, with no active lane -> next, own mask
; CHECK-LABEL: Linearization of 'gathered':
; CHECK: then: -> next, deferred next, own mask
define void @contiguous(ptr noalias %in, ptr noalias %out, i64 %first, i64 %count) {
entry:
  br label %items
items:
  %item = phi i64 [ 0, %entry ], [ %item.next, %next ]
  %q = getelementptr inbounds float, ptr %out, i64 %item
  %c = icmp uge i64 %item, %first
  br i1 %c, label %then, label %next
then:
  %before = sub i64 %item, %first
  %p = getelementptr inbounds float, ptr %in, i64 %before
  %x = load float, ptr %p
  br label %next
next:
  %r = phi float [ 0.0, %items ], [ %x, %then ]
  store float %r, ptr %q
  %item.next = add nuw nsw i64 %item, 1
  %more = icmp ult i64 %item.next, %count
  br i1 %more, label %items, label %done, !llvm.loop !0
done:
  ret void
}

define void @gathered(ptr noalias %in, ptr noalias %out, i64 %first, i64 %count) {
entry:
  br label %items
items:
  %item = phi i64 [ 0, %entry ], [ %item.next, %next ]
  %q = getelementptr inbounds float, ptr %out, i64 %item
  %c = icmp uge i64 %item, %first
  br i1 %c, label %then, label %next
then:
  %square = mul i64 %item, %item
  %p = getelementptr inbounds float, ptr %in, i64 %square
  %x = load float, ptr %p
  br label %next
next:
  %r = phi float [ 0.0, %items ], [ %x, %then ]
  store float %r, ptr %q
  %item.next = add nuw nsw i64 %item, 1
  %more = icmp ult i64 %item.next, %count
  br i1 %more, label %items, label %done, !llvm.loop !0
done:
  ret void
}

!0 = distinct !{!0, !1}
!1 = !{!"quern.item-loop"}
