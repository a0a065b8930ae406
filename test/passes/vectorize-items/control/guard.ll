; SPDX-License-Identifier: Apache-2.0
; SPDX-FileCopyrightText: The Quern authors
; Costly code is skipped where no lane is active.
; RUN: %quernc --passes="vectorize-items<width=8>,sroa" %s | FileCheck %s

; CHECK-LABEL: @guard(
; CHECK: %[[BITS:.*]] = bitcast <8 x i1> %{{.*}} to i8
; CHECK: %[[ANY:.*]] = icmp ne i8 %[[BITS]], 0
; CHECK: br i1 %[[ANY]], label %then.wide, label %next.wide
; CHECK: then.wide:
; CHECK: fdiv <8 x float>
define void @guard(ptr noalias %in, ptr noalias %out, i64 %count) {
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

!0 = distinct !{!0, !1}
!1 = !{!"quern.item-loop"}
