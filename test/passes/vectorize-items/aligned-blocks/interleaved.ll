; SPDX-License-Identifier: Apache-2.0
; SPDX-FileCopyrightText: The Quern authors
; Two interleaved vectors of 16 lanes are in two blocks of 16, and there is no way to say so: they are not interleaved.
; RUN: %quernc --passes="vectorize-items<width=16;interleave=2>" %s | FileCheck %s

; CHECK-LABEL: @interleaved(
; CHECK: items.wide:
; CHECK-NOT: {{gather|icmp uge}}
; CHECK: %[[V:.*]] = load float
; CHECK: insertelement <16 x float> poison, float %[[V]], i64 0
; CHECK-NOT: {{gather|icmp uge}}
; CHECK: next
define void @interleaved(ptr %in, ptr noalias %out, i64 %count) {
entry:
  br label %items
items:
  %item = phi i64 [ 0, %entry ], [ %item.next, %items ]
  %narrow = trunc nuw nsw i64 %item to i32
  %tile = lshr i32 %narrow, 4
  %index = zext nneg i32 %tile to i64
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
