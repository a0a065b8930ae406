; SPDX-License-Identifier: Apache-2.0
; SPDX-FileCopyrightText: The Quern authors
; Four elements of 16 bits are two words, with 16 bytes too: these are for bytes. The rest is loaded one by one.
; RUN: %quernc --passes='unroll-wide-loads<bytes=16>' %s | FileCheck %s

; CHECK-LABEL: @shorts(
; CHECK: and i32 %count, -4
; CHECK: unrolled:
; CHECK: [[WORDS:%.*]] = load <2 x i32>, ptr
; CHECK: extractelement <2 x i32> [[WORDS]], i64 0
; CHECK: extractelement <2 x i32> [[WORDS]], i64 1
; CHECK: remainder:
; CHECK: load i16, ptr
; CHECK: ret i32
define i32 @shorts(ptr  %text, i64 %begin, i32 %count) {
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
  %address = getelementptr inbounds i16, ptr %first, i64 %offset
  %element = load i16, ptr %address, align 1
  %wide = zext i16 %element to i32
  %mixed = xor i32 %hash, %wide
  %hash.next = mul i32 %mixed, 16777619
  %i.next = add nuw i32 %i, 1
  %more = icmp ult i32 %i.next, %count
  br i1 %more, label %loop, label %exit
exit:
  %result = phi i32 [ 0, %entry ], [ %hash.next, %loop ]
  ret i32 %result
}
