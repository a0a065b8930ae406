; SPDX-License-Identifier: Apache-2.0
; SPDX-FileCopyrightText: The Quern authors
; Elements in a row are loaded and stored as vectors.
; RUN: %quernc --passes="vectorize-items<width=8>" %s | FileCheck %s

; CHECK-LABEL: @strided(
; CHECK: %[[X:.*]] = call <8 x float> @llvm.masked.load.v8f32.p0(
; CHECK: %[[SUM:.*]] = fadd <8 x float> %[[X]],
; CHECK: call void @llvm.masked.store.v8f32.p0(<8 x float> %[[SUM]],
; CHECK: quern-vectorized"="8"
define void @strided(ptr noalias %in, ptr noalias %out, i64 %count) {
entry:
  br label %items
items:
  %item = phi i64 [ 0, %entry ], [ %item.next, %next ]
  %p = getelementptr inbounds float, ptr %in, i64 %item
  %q = getelementptr inbounds float, ptr %out, i64 %item
  %x = load float, ptr %p
  %y = fadd float %x, 1.0
  store float %y, ptr %q
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
