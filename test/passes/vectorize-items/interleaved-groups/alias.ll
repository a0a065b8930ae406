; SPDX-License-Identifier: Apache-2.0
; SPDX-FileCopyrightText: The Quern authors
; A store between two loads may change what the second one reads: they stay apart.
; RUN: %quernc --passes="vectorize-items<width=8>" %s | FileCheck %s

; CHECK-LABEL: @alias(
; CHECK: @llvm.masked.load
; CHECK: call void @llvm.masked.store.v8i32
; CHECK: @llvm.masked.load
; CHECK: call void @llvm.masked.store.v8i32
define void @alias(ptr %in, ptr %out, ptr noalias %other, i64 %count) {
entry:
  br label %items
items:
  %item = phi i64 [ 0, %entry ], [ %item.next, %items ]
  %two = shl nuw nsw i64 %item, 1
  %even = getelementptr inbounds i32, ptr %in, i64 %two
  %odd = getelementptr inbounds i8, ptr %even, i64 4
  %a = load i32, ptr %even
  %q = getelementptr inbounds i32, ptr %out, i64 %item
  store i32 %a, ptr %q
  %b = load i32, ptr %odd
  %r = getelementptr inbounds i32, ptr %other, i64 %item
  store i32 %b, ptr %r
  %item.next = add nuw nsw i64 %item, 1
  %more = icmp ult i64 %item.next, %count
  br i1 %more, label %items, label %done, !llvm.loop !0
done:
  ret void
}

!0 = distinct !{!0, !1}
!1 = !{!"quern.item-loop"}
