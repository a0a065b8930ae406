; SPDX-License-Identifier: Apache-2.0
; SPDX-FileCopyrightText: The Quern authors
; Between the vectors is memory that is not stored to: each is a store of its own, and no masks are needed.
; RUN: env QUERN_CPU=znver3 %quernc --passes="vectorize-items<width=8>" %s | FileCheck %s

; CHECK-LABEL: @gaps(
; CHECK: items.wide:
; CHECK-COUNT-8: store <4 x i32>
; CHECK-NOT: store
; CHECK: vector.latch:
define void @gaps(ptr noalias %in, ptr noalias %out, i64 %count) {
entry:
  br label %items
items:
  %item = phi i64 [ 0, %entry ], [ %item.next, %items ]
  %p = getelementptr inbounds [2 x <4 x i32>], ptr %in, i64 %item
  %x = load <4 x i32>, ptr %p
  %x0 = extractelement <4 x i32> %x, i64 0
  %y = insertelement <4 x i32> %x, i32 %x0, i64 3
  %q = getelementptr inbounds [2 x <4 x i32>], ptr %out, i64 %item
  store <4 x i32> %y, ptr %q
  %item.next = add nuw nsw i64 %item, 1
  %more = icmp ult i64 %item.next, %count
  br i1 %more, label %items, label %done, !llvm.loop !0
done:
  ret void
}

!0 = distinct !{!0, !1}
!1 = !{!"quern.item-loop"}
