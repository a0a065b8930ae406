; SPDX-License-Identifier: Apache-2.0
; SPDX-FileCopyrightText: The Quern authors
; What is the same for all work-items is loaded once.
; RUN: %quernc --passes="vectorize-items<width=8>" %s | FileCheck %s

; CHECK-LABEL: @uniform(
; CHECK-NOT: load <8
; CHECK: %[[X:.*]] = load float, ptr %in
; CHECK: insertelement <8 x float> poison, float %[[X]], i64 0
; CHECK: call void @llvm.masked.store.v8f32.p0(
define void @uniform(ptr noalias %in, ptr noalias %out, i64 %count) {
entry:
  br label %items
items:
  %item = phi i64 [ 0, %entry ], [ %item.next, %next ]
  %q = getelementptr inbounds float, ptr %out, i64 %item
  %x = load float, ptr %in
  store float %x, ptr %q
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
