; SPDX-License-Identifier: Apache-2.0
; SPDX-FileCopyrightText: The Quern authors
; Every other element is one load of twice the size, and a shuffle.
; RUN: %quernc --passes="vectorize-items<width=8>" %s | FileCheck %s

; CHECK-LABEL: @stride_two(
; CHECK: call <1{{.*}} x i32> @llvm.masked.load
; CHECK: shufflevector <1{{.*}} <8 x i32> <i32 0, i32 2, i32 4, i32 6, i32 8, i32 10, i32 12, i32 14>
define void @stride_two(ptr noalias %in, ptr noalias %out, i64 %count) {
entry:
  br label %items
items:
  %item = phi i64 [ 0, %entry ], [ %item.next, %items ]
  %at = shl nuw nsw i64 %item, 1
  %p = getelementptr inbounds i32, ptr %in, i64 %at
  %x = load i32, ptr %p
  %q = getelementptr inbounds i32, ptr %out, i64 %item
  store i32 %x, ptr %q
  %item.next = add nuw nsw i64 %item, 1
  %more = icmp ult i64 %item.next, %count
  br i1 %more, label %items, label %done, !llvm.loop !0
done:
  ret void
}

!0 = distinct !{!0, !1}
!1 = !{!"quern.item-loop"}
