; SPDX-License-Identifier: Apache-2.0
; SPDX-FileCopyrightText: The Quern authors
; Even and odd elements are one access, but not across a load that acquires: what stands behind it stays there.
; RUN: %quernc --passes="vectorize-items<width=8>" %s | FileCheck %s

; CHECK-LABEL: @acquire(
; CHECK: call <16 x i32> @llvm.masked.load.v16i32
; CHECK: load atomic i32, ptr %flag acquire
; CHECK: @llvm.masked.load.v16i32
; CHECK-LABEL: @relaxed(
; CHECK: call <8 x i64> @llvm.masked.load.v8i64
; CHECK: load atomic i32, ptr %flag monotonic
; CHECK-NOT: @llvm.masked.load
; CHECK: ret void

define void @acquire(ptr noalias %in, ptr noalias %out, ptr noalias %flag, i64 %count) {
entry:
  br label %items
items:
  %item = phi i64 [ 0, %entry ], [ %item.next, %items ]
  %two = shl nuw nsw i64 %item, 1
  %even = getelementptr inbounds i32, ptr %in, i64 %two
  %odd = getelementptr inbounds i8, ptr %even, i64 4
  %a = load i32, ptr %even
  %f = load atomic i32, ptr %flag acquire, align 4
  %b = load i32, ptr %odd
  %ab = add i32 %a, %b
  %abf = add i32 %ab, %f
  %q = getelementptr inbounds i32, ptr %out, i64 %item
  store i32 %abf, ptr %q
  %item.next = add nuw nsw i64 %item, 1
  %more = icmp ult i64 %item.next, %count
  br i1 %more, label %items, label %done, !llvm.loop !0
done:
  ret void
}

define void @relaxed(ptr noalias %in, ptr noalias %out, ptr noalias %flag, i64 %count) {
entry:
  br label %items
items:
  %item = phi i64 [ 0, %entry ], [ %item.next, %items ]
  %two = shl nuw nsw i64 %item, 1
  %even = getelementptr inbounds i32, ptr %in, i64 %two
  %odd = getelementptr inbounds i8, ptr %even, i64 4
  %a = load i32, ptr %even
  %f = load atomic i32, ptr %flag monotonic, align 4
  %b = load i32, ptr %odd
  %ab = add i32 %a, %b
  %abf = add i32 %ab, %f
  %q = getelementptr inbounds i32, ptr %out, i64 %item
  store i32 %abf, ptr %q
  %item.next = add nuw nsw i64 %item, 1
  %more = icmp ult i64 %item.next, %count
  br i1 %more, label %items, label %done, !llvm.loop !0
done:
  ret void
}

!0 = distinct !{!0, !1}
!1 = !{!"quern.item-loop"}
