; SPDX-License-Identifier: Apache-2.0
; SPDX-FileCopyrightText: The Quern authors
; Four bytes are one word, and the remaining up to three come from the word that ends with them.
; RUN: %quernc --passes='unroll-wide-loads<bytes=4>' %s | FileCheck %s

; CHECK-LABEL: @bytes(
; CHECK: and i32 %count, 3
; CHECK: [[UNROLLED:%.*]] = and i32 %count, -4
; CHECK: icmp uge i32 {{.*}}, 3
; CHECK: unrolled:
; CHECK: [[WORD:%.*]] = load i32, ptr %{{.*}}, align 1
; CHECK: trunc i32 [[WORD]] to i8
; CHECK: lshr i32 [[WORD]], 8
; CHECK: lshr i32 [[WORD]], 16
; CHECK: lshr i32 [[WORD]], 24
; CHECK-COUNT-4: mul i32 {{.*}}, 16777619
; CHECK: add i32 {{.*}}, 4
; CHECK: remainder.some:
; CHECK: load i32, ptr %{{.*}}, align 1
; CHECK: remainder:
; CHECK-NOT: load
; CHECK: mul i32 {{.*}}, 16777619
; CHECK: ret i32
define i32 @bytes(ptr  %text, i64 %begin, i32 %count) {
entry:
  %none = icmp eq i32 %count, 0
  br i1 %none, label %exit, label %loop.preheader
loop.preheader:
  %first = getelementptr i8, ptr %text, i64 %begin
  br label %loop
loop:
  %i = phi i32 [ 0, %loop.preheader ], [ %i.next, %loop ]
  %hash = phi i32 [ 0, %loop.preheader ], [ %hash.next, %loop ]
  %offset = zext i32 %i to i64
  %address = getelementptr inbounds i8, ptr %first, i64 %offset
  %element = load i8, ptr %address, align 1
  %wide = zext i8 %element to i32
  %mixed = xor i32 %hash, %wide
  %hash.next = mul i32 %mixed, 16777619
  %i.next = add nuw i32 %i, 1
  %more = icmp ult i32 %i.next, %count
  br i1 %more, label %loop, label %exit
exit:
  %result = phi i32 [ 0, %entry ], [ %hash.next, %loop ]
  ret i32 %result
}
