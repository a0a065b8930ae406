; SPDX-License-Identifier: Apache-2.0
; SPDX-FileCopyrightText: The Quern authors
; Stores of bytes to any address have no instruction: inactive lanes store to memory of their own, as LLVM would branch
; around each of them.
; RUN: %quernc --passes="vectorize-items<width=8>" %s | FileCheck %s

; CHECK-LABEL: @bytes(
; CHECK: %store.scratch = alloca
; CHECK: [[TO:%.*]] = select <8 x i1> {{%.*}}, <8 x ptr>
; CHECK: call void @llvm.masked.scatter.v8i8.v8p0(<8 x i8> {{%.*}}, <8 x ptr> align 1 [[TO]], <8 x i1> splat (i1 true))
; CHECK-LABEL: @words(
; CHECK-NOT: %store.scratch
; CHECK: call void @llvm.masked.scatter.v8i32.v8p0(
define void @bytes(ptr noalias %indices, ptr noalias %in, ptr noalias %out, i64 %count) {
entry:
  br label %items
items:
  %item = phi i64 [ 0, %entry ], [ %item.next, %next ]
  %p = getelementptr inbounds i32, ptr %indices, i64 %item
  %index = load i32, ptr %p, align 4
  %wide = sext i32 %index to i64
  %b = getelementptr inbounds i8, ptr %in, i64 %item
  %x = load i8, ptr %b, align 1
  %q = getelementptr inbounds i8, ptr %out, i64 %wide
  store i8 %x, ptr %q, align 1
  br label %next
next:
  %item.next = add nuw nsw i64 %item, 1
  %more = icmp ult i64 %item.next, %count
  br i1 %more, label %items, label %done, !llvm.loop !0
done:
  ret void
}

define void @words(ptr noalias %indices, ptr noalias %in, ptr noalias %out, i64 %count) {
entry:
  br label %items
items:
  %item = phi i64 [ 0, %entry ], [ %item.next, %next ]
  %p = getelementptr inbounds i32, ptr %indices, i64 %item
  %index = load i32, ptr %p, align 4
  %wide = sext i32 %index to i64
  %q = getelementptr inbounds i32, ptr %out, i64 %wide
  store i32 %index, ptr %q, align 4
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
