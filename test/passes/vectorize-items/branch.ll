; SPDX-License-Identifier: Apache-2.0
; SPDX-FileCopyrightText: The Quern authors
; Behind a branch that work-items take differently, accesses are masked.
; RUN: %quernc --passes="vectorize-items<width=8>" %s | FileCheck %s

; CHECK-LABEL: @branch(
; CHECK: %[[MASK:.*]] = fcmp ogt <8 x float>
; CHECK: select <8 x i1> %{{.*}}, <8 x i1> %[[MASK]], <8 x i1> zeroinitializer
; CHECK: call void @llvm.masked.store.v8f32.p0(<8 x float> splat (float 1.000000e+00),
define void @branch(ptr noalias %in, ptr noalias %out, i64 %count) {
entry:
  br label %items
items:
  %item = phi i64 [ 0, %entry ], [ %item.next, %next ]
  %p = getelementptr inbounds float, ptr %in, i64 %item
  %q = getelementptr inbounds float, ptr %out, i64 %item
  %x = load float, ptr %p
  %c = fcmp ogt float %x, 0.0
  br i1 %c, label %then, label %next
then:
  store float 1.0, ptr %q
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
