; SPDX-License-Identifier: Apache-2.0
; SPDX-FileCopyrightText: The Quern authors
; Without masks, the scalar loop runs where the check fails.
; RUN: env QUERN_CPU=nehalem %quernc --passes="vectorize-items<width=4>" %s | FileCheck %s

; CHECK-LABEL: @no_masks(
; CHECK: %[[HOLDS:.*]] = icmp eq i64
; CHECK: select i1 %[[HOLDS]], i64 %count, i64 0
; CHECK: load <4 x float>
; CHECK: items:
; CHECK: load float
define void @no_masks(ptr noalias %in, ptr noalias %out, i32 %offset, i64 %count) {
entry:
  br label %items
items:
  %item = phi i64 [ 0, %entry ], [ %item.next, %items ]
  %id = trunc i64 %item to i32
  %at32 = add i32 %id, %offset
  %at = sext i32 %at32 to i64
  %p = getelementptr inbounds float, ptr %in, i64 %at
  %x = load float, ptr %p
  %q = getelementptr inbounds float, ptr %out, i64 %item
  store float %x, ptr %q
  %item.next = add nuw nsw i64 %item, 1
  %more = icmp ult i64 %item.next, %count
  br i1 %more, label %items, label %done, !llvm.loop !0
done:
  ret void
}

!0 = distinct !{!0, !1}
!1 = !{!"quern.item-loop"}
