; SPDX-License-Identifier: Apache-2.0
; SPDX-FileCopyrightText: The Quern authors
; A matrix in private memory: the loops inside of each other are both unrolled where the whole is small enough, and
; neither where it is not.
; RUN: %quernc --passes='function(favor-private-arrays,loop(loop-unroll-full),sroa)' %s | FileCheck %s
; RUN: %quernc --passes='function(favor-private-arrays)' %s | FileCheck %s --check-prefix=MARKED

; CHECK-LABEL: @small(
; CHECK-NOT: alloca
; CHECK-COUNT-64: store volatile
; CHECK-NOT: store volatile
; CHECK: ret void
define void @small(ptr %in, ptr %out) {
entry:
  %matrix = alloca [8 x [8 x i32]], align 4
  %first = getelementptr i8, ptr %matrix, i64 4
  br label %outer

outer:
  %i = phi i64 [ 0, %entry ], [ %next.i, %latch ]
  br label %inner

inner:
  %j = phi i64 [ 0, %outer ], [ %next.j, %inner ]
  %loaded = load volatile i32, ptr %in
  %element = getelementptr [8 x [8 x i32]], ptr %matrix, i64 0, i64 %i, i64 %j
  store i32 %loaded, ptr %element
  %again = load i32, ptr %element
  store volatile i32 %again, ptr %out
  %next.j = add nuw i64 %j, 1
  %done.j = icmp eq i64 %next.j, 8
  br i1 %done.j, label %latch, label %inner

latch:
  %next.i = add nuw i64 %i, 1
  %done.i = icmp eq i64 %next.i, 8
  br i1 %done.i, label %exit, label %outer

exit:
  %last = load i32, ptr %first
  store i32 %last, ptr %out
  ret void
}

; MARKED-LABEL: @large(
; MARKED-NOT: !llvm.loop
; MARKED: ret void
; CHECK-LABEL: @large(
; CHECK: alloca
define void @large(ptr %in, ptr %out) {
entry:
  %matrix = alloca [8 x [80 x i32]], align 4
  br label %outer

outer:
  %i = phi i64 [ 0, %entry ], [ %next.i, %latch ]
  br label %inner

inner:
  %j = phi i64 [ 0, %outer ], [ %next.j, %inner ]
  %loaded = load volatile i32, ptr %in
  %a = mul i32 %loaded, 3
  %b = xor i32 %a, 5
  %c = mul i32 %b, 7
  %d = xor i32 %c, 9
  %element = getelementptr [8 x [80 x i32]], ptr %matrix, i64 0, i64 %i, i64 %j
  store i32 %d, ptr %element
  %again = load i32, ptr %element
  store volatile i32 %again, ptr %out
  %next.j = add nuw i64 %j, 1
  %done.j = icmp eq i64 %next.j, 80
  br i1 %done.j, label %latch, label %inner

latch:
  %next.i = add nuw i64 %i, 1
  %done.i = icmp eq i64 %next.i, 8
  br i1 %done.i, label %exit, label %outer

exit:
  ret void
}
