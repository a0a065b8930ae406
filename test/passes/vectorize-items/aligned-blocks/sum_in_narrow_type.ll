; SPDX-License-Identifier: Apache-2.0
; SPDX-FileCopyrightText: The Quern authors
; `base + (x & 15)` of 32 bits may wrap in any vector, and the first and the last work-item do not tell: it is tested at
; the access, and not before the loop.
; RUN: %quernc --passes="vectorize-items<width=16>" %s | FileCheck %s

; CHECK-LABEL: @sum(
; CHECK-NOT: label %passed
; CHECK: items.wide:
; CHECK: br i1 %{{.*}}, label %contiguous, label %gather
define void @sum(ptr %in, ptr noalias %out, i32 %base, i64 %count) {
entry:
  br label %items
items:
  %item = phi i64 [ 0, %entry ], [ %item.next, %items ]
  %narrow = trunc nuw nsw i64 %item to i32
  %position = and i32 %narrow, 15
  %moved = add i32 %base, %position
  %index = zext i32 %moved to i64
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
