; SPDX-License-Identifier: Apache-2.0
; SPDX-FileCopyrightText: The Quern authors
; Sixteen bytes are four adjacent words, one after the other; the remaining ones are shifted out of four words.
; RUN: %quernc --passes='unroll-wide-loads<bytes=16>' %s | FileCheck %s

; CHECK-LABEL: @bytes(
; CHECK: and i32 %count, 15
; CHECK: and i32 %count, -16
; CHECK: unrolled:
; CHECK: load i32, ptr [[FIRST:%[0-9]+]], align 1
; CHECK-NEXT: [[SECOND:%.*]] = getelementptr i8, ptr [[FIRST]], i64 4
; CHECK-NEXT: load i32, ptr [[SECOND]], align 1
; CHECK-NEXT: [[THIRD:%.*]] = getelementptr i8, ptr [[FIRST]], i64 8
; CHECK-NEXT: load i32, ptr [[THIRD]], align 1
; CHECK-NEXT: [[FOURTH:%.*]] = getelementptr i8, ptr [[FIRST]], i64 12
; CHECK-NEXT: load i32, ptr [[FOURTH]], align 1
; CHECK-COUNT-16: mul i32 {{.*}}, 16777619
; CHECK: remainder.some:
; CHECK-COUNT-4: load i32, ptr
; CHECK-COUNT-4: call i32 @llvm.fshr.i32(
; CHECK: remainder:
; CHECK-COUNT-3: call i32 @llvm.fshr.i32({{.*}}, i32 8)
; CHECK: lshr i32 {{.*}}, 8
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
