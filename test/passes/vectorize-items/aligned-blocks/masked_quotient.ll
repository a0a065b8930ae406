; SPDX-License-Identifier: Apache-2.0
; SPDX-FileCopyrightText: The Quern authors
; InstCombine makes `(x >> 1) & ~7` of `x / 16 * 8`.
; RUN: %quernc --passes="vectorize-items<width=16>" %s | FileCheck %s

; CHECK-LABEL: @masked_quotient(
; CHECK: items.wide:
; CHECK: %[[BLOCK:.*]] = and i64 %first, -16
; CHECK: lshr i64 %[[BLOCK]], 1
; CHECK-NOT: gather
; CHECK: load float
; CHECK-NOT: gather
; CHECK: next
define void @masked_quotient(ptr %in, ptr noalias %out, i64 %count) {
entry:
  br label %items
items:
  %item = phi i64 [ 0, %entry ], [ %item.next, %items ]
  %half = lshr i64 %item, 1
  %index = and i64 %half, -8
  %p = getelementptr inbounds float, ptr %in, i64 %index
  %v = load float, ptr %p
  %q = getelementptr inbounds float, ptr %out, i64 %item
  store float %v, ptr %q
  %item.next = add nuw nsw i64 %item, 1
  %more = icmp ult i64 %item.next, %count
  br i1 %more, label %items, label %done, !llvm.loop !0
done:
  ret void
}

!0 = distinct !{!0, !1}
!1 = !{!"quern.item-loop"}
