; SPDX-License-Identifier: Apache-2.0
; SPDX-FileCopyrightText: The Quern authors
; Loops are not unrolled for an array that stays in memory: it is indexed by a value, its address is stored, or a loop
; over it has a trip count of which nothing is known.
; RUN: %quernc --passes='function(favor-private-arrays)' %s | FileCheck %s
; CHECK-NOT: llvm.loop.unroll

define void @index(ptr %out, i64 %n) {
entry:
  %array = alloca [40 x i32], align 4
  br label %fill

fill:
  %i = phi i64 [ 0, %entry ], [ %next, %fill ]
  %element = getelementptr i32, ptr %array, i64 %i
  store i32 1, ptr %element
  %next = add nuw i64 %i, 1
  %done = icmp eq i64 %next, 40
  br i1 %done, label %exit, label %fill

exit:
  %any = getelementptr i32, ptr %array, i64 %n
  %value = load i32, ptr %any
  store i32 %value, ptr %out
  ret void
}

define void @escape(ptr %out) {
entry:
  %array = alloca [40 x i32], align 4
  store ptr %array, ptr %out
  br label %fill

fill:
  %i = phi i64 [ 0, %entry ], [ %next, %fill ]
  %element = getelementptr i32, ptr %array, i64 %i
  store i32 1, ptr %element
  %next = add nuw i64 %i, 1
  %done = icmp eq i64 %next, 40
  br i1 %done, label %exit, label %fill

exit:
  ret void
}

define i32 @trip_count(i64 %n) {
entry:
  %array = alloca [40 x i32], align 4
  br label %fill

fill:
  %i = phi i64 [ 0, %entry ], [ %next.i, %fill ]
  %element = getelementptr i32, ptr %array, i64 %i
  store i32 1, ptr %element
  %next.i = add nuw i64 %i, 1
  %filled = icmp eq i64 %next.i, 40
  br i1 %filled, label %read, label %fill

read:
  %j = phi i64 [ 0, %fill ], [ %next.j, %read ]
  %sum = phi i32 [ 0, %fill ], [ %more, %read ]
  %read.element = getelementptr i32, ptr %array, i64 %j
  %value = load i32, ptr %read.element
  %more = add i32 %sum, %value
  %next.j = add nuw i64 %j, 1
  %done = icmp eq i64 %next.j, %n
  br i1 %done, label %exit, label %read

exit:
  ret i32 %more
}
