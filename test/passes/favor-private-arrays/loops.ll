; SPDX-License-Identifier: Apache-2.0
; SPDX-FileCopyrightText: The Quern authors
; An array that one loop fills and another one reads: both loops are unrolled, and the array becomes values.
; RUN: %quernc --passes='function(favor-private-arrays)' %s | FileCheck %s --check-prefix=MARKED
; RUN: %quernc --passes='function(favor-private-arrays,loop(loop-unroll-full),sroa)' %s | FileCheck %s

; MARKED-LABEL: @fill_and_read(
; MARKED: br i1 %filled, label %read, label %fill, !llvm.loop [[FILL:![0-9]+]]
; MARKED: br i1 %done, label %exit, label %read, !llvm.loop [[READ:![0-9]+]]
; MARKED: [[FILL]] = distinct !{[[FILL]], [[FULL:![0-9]+]]}
; MARKED: [[FULL]] = !{!"llvm.loop.unroll.full"
; MARKED: [[READ]] = distinct !{[[READ]], [[FULL]]}

; CHECK-LABEL: @fill_and_read(
; CHECK-NOT: alloca
; CHECK-NOT: phi
; CHECK: ret void
define void @fill_and_read(ptr %in, ptr %out) {
entry:
  %array = alloca [40 x i32], align 4
  call void @llvm.memset.p0.i64(ptr align 4 %array, i8 0, i64 160, i1 false)
  br label %fill

fill:
  %i = phi i64 [ 0, %entry ], [ %next.i, %fill ]
  %source = getelementptr i32, ptr %in, i64 %i
  %loaded = load volatile i32, ptr %source
  %element = getelementptr [40 x i32], ptr %array, i64 0, i64 %i
  store i32 %loaded, ptr %element
  %next.i = add nuw i64 %i, 1
  %filled = icmp eq i64 %next.i, 40
  br i1 %filled, label %read, label %fill

read:
  %pointer = phi ptr [ %array, %fill ], [ %next, %read ]
  %j = phi i64 [ 0, %fill ], [ %next.j, %read ]
  %value = load i32, ptr %pointer
  store volatile i32 %value, ptr %out
  %next = getelementptr i32, ptr %pointer, i64 1
  %next.j = add nuw i64 %j, 1
  %done = icmp eq i64 %next.j, 40
  br i1 %done, label %exit, label %read

exit:
  ret void
}

declare void @llvm.memset.p0.i64(ptr, i8, i64, i1)
