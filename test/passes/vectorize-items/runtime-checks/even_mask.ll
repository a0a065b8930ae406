; SPDX-License-Identifier: Apache-2.0
; SPDX-FileCopyrightText: The Quern authors
; `2 * i % 64`, as in a transform's exchange: InstCombine clears bit 0, too, which is clear in all lanes. Each access
; tests whether the vector is in one block; a test of the whole loop would fail.
; RUN: %quernc --passes=vectorize-items %s | FileCheck %s

; CHECK-LABEL: @even(
; CHECK: items.wide:
; CHECK: %[[POSITION:.*]] = and i64 %{{.*}}, 63
; CHECK: %[[LEFT:.*]] = sub i64 63, %[[POSITION]]
; CHECK: %[[IS_IN_BLOCK:.*]] = icmp uge i64 %[[LEFT]],
; CHECK: br i1 %[[IS_IN_BLOCK]], label %contiguous, label %gather
define void @even(ptr %in, ptr noalias %out, i64 %start, i64 %count) {
entry:
  br label %items
items:
  %item = phi i64 [ 0, %entry ], [ %item.next, %next ]
  %moved = add nuw nsw i64 %item, %start
  %twice = shl nuw nsw i64 %moved, 1
  %position = and i64 %twice, 62
  %p = getelementptr inbounds float, ptr %in, i64 %position
  %v = load float, ptr %p
  %q = getelementptr inbounds float, ptr %out, i64 %item
  store float %v, ptr %q
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
