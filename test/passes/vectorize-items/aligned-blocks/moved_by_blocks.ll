; SPDX-License-Identifier: Apache-2.0
; SPDX-FileCopyrightText: The Quern authors
; The first work-item is a multiple of 32 from the start of a block, which LICM computes before the loop.
; RUN: %quernc --passes="vectorize-items<width=16>" %s | FileCheck %s

; CHECK-LABEL: @moved_by_blocks(
; CHECK: items.wide:
; CHECK-NOT: {{gather|icmp uge}}
; CHECK: load float
; CHECK-NOT: {{gather|icmp uge}}
; CHECK: next
define void @moved_by_blocks(ptr %in, ptr noalias %out, i64 %start, i64 %count) {
entry:
  %group = shl i64 %start, 5
  br label %items
items:
  %item = phi i64 [ 0, %entry ], [ %item.next, %items ]
  %moved = add nuw nsw i64 %item, %group
  %index = lshr i64 %moved, 4
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
