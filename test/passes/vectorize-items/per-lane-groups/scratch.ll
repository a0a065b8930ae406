; SPDX-License-Identifier: Apache-2.0
; SPDX-FileCopyrightText: The Quern authors
; Inactive lanes load zeros, also after inactive lanes have stored: with what lies on the stack they may compute slowly,
; as with subnormal numbers.
; RUN: %quernc --passes="vectorize-items<width=8>" %s | FileCheck %s

; CHECK-LABEL: @masked(
; CHECK: %load.scratch = alloca [16 x i8], align 16
; CHECK-NEXT: call void @llvm.memset{{.*}}(ptr align 16 %load.scratch, i8 0, i64 16,
; CHECK: %[[STORES:.*]] = insertelement <8 x ptr> poison, ptr %store.scratch
; CHECK: store <2 x double>
; CHECK: %[[LOADS:.*]] = insertelement <8 x ptr> poison, ptr %load.scratch
; CHECK: load <2 x double>
define void @masked(ptr noalias %in, ptr noalias %indices, ptr noalias %out, i64 %count) {
entry:
  br label %items
items:
  %item = phi i64 [ 0, %entry ], [ %item.next, %next ]
  %p = getelementptr inbounds i64, ptr %indices, i64 %item
  %index = load i64, ptr %p
  %bits = bitcast i64 %item to double
  %is_inside = icmp sge i64 %index, 0
  br i1 %is_inside, label %inside, label %next
inside:
  %q0 = getelementptr inbounds [2 x double], ptr %out, i64 %index
  %q1 = getelementptr inbounds i8, ptr %q0, i64 8
  store double %bits, ptr %q0
  store double %bits, ptr %q1
  %p0 = getelementptr inbounds [2 x double], ptr %in, i64 %index
  %p1 = getelementptr inbounds i8, ptr %p0, i64 8
  %v0 = load double, ptr %p0
  %v1 = load double, ptr %p1
  %product = fmul double %v0, %v1
  %q = getelementptr inbounds double, ptr %out, i64 %item
  store double %product, ptr %q
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
