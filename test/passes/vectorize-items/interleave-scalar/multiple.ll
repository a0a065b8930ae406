; SPDX-License-Identifier: Apache-2.0
; SPDX-FileCopyrightText: The Quern authors
; A multiple of the counter is one in each iteration. While the phi had only its first value, LLVM's inliner took the
; product for zero.
; RUN: %quernc --passes="vectorize-items<scalar;interleave=2>" %s | FileCheck %s

; CHECK-LABEL: @multiple(
; CHECK: %[[FIRST:.*]] = phi i64 [ 0, %{{.*}} ], [ %{{.*}}, %{{.*}} ]
; CHECK: %[[SECOND:.*]] = add nuw nsw i64 %[[FIRST]], 1
; CHECK: mul i64 %[[FIRST]], 3
; CHECK: mul i64 %[[SECOND]], 3
define void @multiple(ptr noalias %in, ptr noalias %out, i64 %count) {
entry:
  br label %items
items:
  %item = phi i64 [ 0, %entry ], [ %item.next, %items ]
  %third = mul i64 %item, 3
  %p = getelementptr inbounds <16 x i32>, ptr %in, i64 %third
  %x = load <16 x i32>, ptr %p
  %y = add <16 x i32> %x, splat (i32 7)
  %q = getelementptr inbounds <16 x i32>, ptr %out, i64 %item
  store <16 x i32> %y, ptr %q
  %item.next = add nuw nsw i64 %item, 1
  %more = icmp ult i64 %item.next, %count
  br i1 %more, label %items, label %done, !llvm.loop !0
done:
  ret void
}

!0 = distinct !{!0, !1}
!1 = !{!"quern.item-loop"}
