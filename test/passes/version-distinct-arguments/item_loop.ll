; SPDX-License-Identifier: Apache-2.0
; SPDX-FileCopyrightText: The Quern authors
; A loop over work-items carries nothing from one to the next: what all of them store in one place stays in it.
; RUN: %quernc --passes=version-distinct-arguments %s | FileCheck %s

; CHECK-LABEL: define void @f(
; CHECK-NOT: __quern_distinct_
define void @f(ptr noalias readonly %args, i64 %items) {
entry:
  %out = load ptr, ptr %args, align 8, !invariant.load !0, !quern-argument !1
  %second = getelementptr inbounds i8, ptr %args, i64 8
  %in = load ptr, ptr %second, align 8, !invariant.load !0, !quern-argument !2
  br label %item

item:
  %x = phi i64 [ 0, %entry ], [ %next.x, %item ]
  %from = getelementptr float, ptr %in, i64 %x
  %element = load float, ptr %from, align 4
  store float %element, ptr %out, align 4
  %next.x = add nuw i64 %x, 1
  %more = icmp ult i64 %next.x, %items
  br i1 %more, label %item, label %exit, !llvm.loop !3

exit:
  ret void
}

!0 = !{}
!1 = !{i32 0}
!2 = !{i32 1}
!3 = distinct !{!3, !4}
!4 = !{!"quern.item-loop"}
