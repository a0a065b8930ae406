; SPDX-License-Identifier: Apache-2.0
; SPDX-FileCopyrightText: The Quern authors
; Inactive lanes read zeros: with what lies on the stack they may compute slowly, as with subnormal numbers.
; RUN: %quernc --passes="vectorize-items<width=8>" %s | FileCheck %s

; CHECK-LABEL: @masked(
; CHECK: %scratch = alloca [16 x i8], align 16
; CHECK-NEXT: store [16 x i8] zeroinitializer, ptr %scratch
; CHECK: select <8 x i1> %{{.*}}, <8 x ptr> %{{.*}}, <8 x ptr> %{{.*}}
; CHECK: load <2 x double>
define void @masked(ptr noalias %in, ptr noalias %indices, ptr noalias %out, i64 %count) {
entry:
  br label %items
items:
  %item = phi i64 [ 0, %entry ], [ %item.next, %next ]
  %p = getelementptr inbounds i64, ptr %indices, i64 %item
  %index = load i64, ptr %p
  %is_inside = icmp sge i64 %index, 0
  br i1 %is_inside, label %inside, label %next
inside:
  %p0 = getelementptr inbounds [2 x double], ptr %in, i64 %index
  %p1 = getelementptr inbounds i8, ptr %p0, i64 8
  %v0 = load double, ptr %p0
  %v1 = load double, ptr %p1
  %sum = fmul double %v0, %v1
  %q = getelementptr inbounds double, ptr %out, i64 %item
  store double %sum, ptr %q
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
