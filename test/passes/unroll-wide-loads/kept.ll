; SPDX-License-Identifier: Apache-2.0
; SPDX-FileCopyrightText: The Quern authors
; Not unrolled: a loop that stores, words, a volatile load, a constant trip count.
; RUN: %quernc --passes='unroll-wide-loads<bytes=4>' %s | FileCheck %s

; CHECK-NOT: unrolled
define i32 @stores(ptr  %text, i64 %begin, i32 %count) {
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
  store i8 %element, ptr %text
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

define i32 @words(ptr  %text, i64 %begin, i32 %count) {
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
  %address = getelementptr inbounds i32, ptr %first, i64 %offset
  %element = load i32, ptr %address, align 1
  %wide = add i32 %element, 0
  %mixed = xor i32 %hash, %wide
  %hash.next = mul i32 %mixed, 16777619
  %i.next = add nuw i32 %i, 1
  %more = icmp ult i32 %i.next, %count
  br i1 %more, label %loop, label %exit
exit:
  %result = phi i32 [ 0, %entry ], [ %hash.next, %loop ]
  ret i32 %result
}

define i32 @atomics(ptr  %text, i64 %begin, i32 %count) {
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
  %element = load volatile i8, ptr %address, align 1
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

define i32 @constant(ptr  %text, i64 %begin, i32 %count) {
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
  %more = icmp ult i32 %i.next, 64
  br i1 %more, label %loop, label %exit
exit:
  %result = phi i32 [ 0, %entry ], [ %hash.next, %loop ]
  ret i32 %result
}
