; SPDX-License-Identifier: Apache-2.0
; SPDX-FileCopyrightText: The Quern authors
; Elements that lie anywhere are gathered.
; RUN: %quernc --passes="vectorize-items<width=8>" %s | FileCheck %s

; CHECK-LABEL: @gather(
; CHECK: call <8 x float> @llvm.masked.gather.v8f32
; CHECK: call void @llvm.masked.store.v8f32.p0(
define void @gather(ptr noalias %in, ptr noalias %indices, ptr noalias %out, i64 %count) {
entry:
  br label %items
items:
  %item = phi i64 [ 0, %entry ], [ %item.next, %next ]
  %i = getelementptr inbounds i32, ptr %indices, i64 %item
  %index = load i32, ptr %i
  %wide = sext i32 %index to i64
  %p = getelementptr inbounds float, ptr %in, i64 %wide
  %q = getelementptr inbounds float, ptr %out, i64 %item
  %x = load float, ptr %p
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
