; SPDX-License-Identifier: Apache-2.0
; SPDX-FileCopyrightText: The Quern authors
; What comes from two sides is a select by the mask.
; RUN: %quernc --passes="vectorize-items<width=8>,sroa" %s | FileCheck %s

; CHECK-LABEL: @phi(
; CHECK: %[[C:.*]] = fcmp ogt <8 x float> %[[X:.*]], zeroinitializer
; CHECK: %[[E:.*]] = fadd <8 x float> %[[X]],
; CHECK: select <8 x i1> %{{.*}}, <8 x float> %[[E]], <8 x float> %
; CHECK-NOT: br i1
; CHECK: next.wide:
define void @phi(ptr noalias %in, ptr noalias %out, i64 %count) {
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

!0 = distinct !{!0, !1}
!1 = !{!"quern.item-loop"}
