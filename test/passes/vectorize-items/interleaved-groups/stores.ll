; SPDX-License-Identifier: Apache-2.0
; SPDX-FileCopyrightText: The Quern authors
; Real and imaginary parts are one store. Under a mask, the two of a lane are stored as one word, in which a poison
; part does not spoil the other.
; RUN: %quernc --passes="vectorize-items<width=8>" %s | FileCheck %s

; CHECK-LABEL: @stores(
; CHECK: shufflevector <16 x i32> %{{.*}}, <16 x i32> poison, <16 x i32> <i32 0, i32 8, i32 1, i32 9,
; CHECK: freeze <16 x i32>
; CHECK: call void @llvm.masked.store.v8i64
; CHECK-NOT: call void @llvm.masked.store
; CHECK: masked.latch:
define void @stores(ptr noalias %in, ptr noalias %out, i64 %count) {
entry:
  br label %items
items:
  %item = phi i64 [ 0, %entry ], [ %item.next, %items ]
  %p = getelementptr inbounds i32, ptr %in, i64 %item
  %x = load i32, ptr %p
  %minus = sub i32 0, %x
  %two = shl nuw nsw i64 %item, 1
  %re = getelementptr inbounds i32, ptr %out, i64 %two
  %im = getelementptr inbounds i8, ptr %re, i64 4
  store i32 %x, ptr %re
  store i32 %minus, ptr %im
  %item.next = add nuw nsw i64 %item, 1
  %more = icmp ult i64 %item.next, %count
  br i1 %more, label %items, label %done, !llvm.loop !0
done:
  ret void
}

!0 = distinct !{!0, !1}
!1 = !{!"quern.item-loop"}
