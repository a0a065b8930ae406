; SPDX-License-Identifier: Apache-2.0
; SPDX-FileCopyrightText: The Quern authors
; A block that the weights of a branch call unlikely is skipped with no active lane, unless it is cheaper than the test.
; RUN: %quernc --passes="print<linearization>" %s 2>&1 >/dev/null | FileCheck %s

; CHECK-LABEL: Linearization of 'unlikely':
; CHECK: then: -> next, deferred next, with no active lane -> next, own mask
; CHECK-LABEL: Linearization of 'cheap':
; CHECK: then: -> next, deferred next, own mask
; CHECK-LABEL: Linearization of 'likely':
; CHECK: then: -> next, deferred next, own mask
define void @unlikely(ptr noalias %in, ptr noalias %out, i64 %count) {
entry:
  br label %items
items:
  %item = phi i64 [ 0, %entry ], [ %item.next, %next ]
  %p = getelementptr inbounds float, ptr %in, i64 %item
  %x = load float, ptr %p
  %q = getelementptr inbounds float, ptr %out, i64 %item
  %c = fcmp ogt float %x, 0.0
  br i1 %c, label %then, label %next, !prof !2
then:
  %e0 = fadd float %x, 1.0
  %e1 = fmul float %e0, %x
  %e2 = fadd float %e1, 2.0
  %e = fmul float %e2, %x
  br label %next
next:
  %r = phi float [ %x, %items ], [ %e, %then ]
  store float %r, ptr %q
  %item.next = add nuw nsw i64 %item, 1
  %more = icmp ult i64 %item.next, %count
  br i1 %more, label %items, label %done, !llvm.loop !0
done:
  ret void
}

define void @cheap(ptr noalias %in, ptr noalias %out, i64 %count) {
entry:
  br label %items
items:
  %item = phi i64 [ 0, %entry ], [ %item.next, %next ]
  %p = getelementptr inbounds float, ptr %in, i64 %item
  %x = load float, ptr %p
  %q = getelementptr inbounds float, ptr %out, i64 %item
  %c = fcmp ogt float %x, 0.0
  br i1 %c, label %then, label %next, !prof !2
then:
  %e = fadd float %x, 1.0
  br label %next
next:
  %r = phi float [ %x, %items ], [ %e, %then ]
  store float %r, ptr %q
  %item.next = add nuw nsw i64 %item, 1
  %more = icmp ult i64 %item.next, %count
  br i1 %more, label %items, label %done, !llvm.loop !0
done:
  ret void
}

define void @likely(ptr noalias %in, ptr noalias %out, i64 %count) {
entry:
  br label %items
items:
  %item = phi i64 [ 0, %entry ], [ %item.next, %next ]
  %p = getelementptr inbounds float, ptr %in, i64 %item
  %x = load float, ptr %p
  %q = getelementptr inbounds float, ptr %out, i64 %item
  %c = fcmp ogt float %x, 0.0
  br i1 %c, label %then, label %next, !prof !3
then:
  %e0 = fadd float %x, 1.0
  %e1 = fmul float %e0, %x
  %e2 = fadd float %e1, 2.0
  %e = fmul float %e2, %x
  br label %next
next:
  %r = phi float [ %x, %items ], [ %e, %then ]
  store float %r, ptr %q
  %item.next = add nuw nsw i64 %item, 1
  %more = icmp ult i64 %item.next, %count
  br i1 %more, label %items, label %done, !llvm.loop !0
done:
  ret void
}

!0 = distinct !{!0, !1}
!1 = !{!"quern.item-loop"}
!2 = !{!"branch_weights", !"expected", i32 1, i32 2000}
!3 = !{!"branch_weights", !"expected", i32 2000, i32 1}
