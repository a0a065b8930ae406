; SPDX-License-Identifier: Apache-2.0
; SPDX-FileCopyrightText: The Quern authors
; Loads of a work-item that lie in gaps of each other, in one block of 16 lanes, form an interleave group.
; RUN: %quernc --passes="vectorize-items<width=16>" %s | FileCheck %s

; CHECK-LABEL: @group(
; CHECK: items.wide:
; CHECK-NOT: {{gather|icmp uge}}
; CHECK: %[[BOTH:.*]] = bitcast <16 x i64> %{{.*}} to <32 x float>
; CHECK: shufflevector <32 x float> %[[BOTH]]
; CHECK-NOT: {{gather|icmp uge}}
; CHECK: next
define void @group(ptr %in, ptr noalias %out, i64 %count) {
entry:
  br label %items
items:
  %item = phi i64 [ 0, %entry ], [ %item.next, %items ]
  %position = and i64 %item, 15
  %index = shl nuw nsw i64 %position, 1
  %p = getelementptr inbounds float, ptr %in, i64 %index
  %v = load float, ptr %p
  %other = getelementptr inbounds i8, ptr %p, i64 4
  %w = load float, ptr %other
  %sum = fadd float %v, %w
  %q = getelementptr inbounds float, ptr %out, i64 %item
  store float %sum, ptr %q
  %item.next = add nuw nsw i64 %item, 1
  %more = icmp ult i64 %item.next, %count
  br i1 %more, label %items, label %done, !llvm.loop !0
done:
  ret void
}

!0 = distinct !{!0, !1}
!1 = !{!"quern.item-loop"}
