; SPDX-License-Identifier: Apache-2.0
; SPDX-FileCopyrightText: The Quern authors
; A median's selection network over fewer and fewer elements: the bound of the inner loop is a signed division, of a
; number that the loops around it count down together. All three are unrolled.
; RUN: %quernc --passes='function(favor-private-arrays,loop(indvars,loop-unroll-full),sroa)' %s | FileCheck %s
; RUN: %quernc --passes='function(favor-private-arrays)' %s | FileCheck %s --check-prefix=MARKED

; MARKED-LABEL: @halves(
; MARKED: br i1 %i.more, label %i.loop, label %j.latch, !llvm.loop
; MARKED: br i1 %j.more, label %j.loop, label %k.latch, !llvm.loop
; MARKED: br i1 %k.more, label %k.loop, label %done, !llvm.loop
; MARKED-LABEL: @unknown(
; MARKED-NOT: !llvm.loop
; MARKED: ret void
; CHECK-LABEL: @halves(
; CHECK-NOT: alloca
; CHECK-NOT: %values,
; CHECK: ret void
define void @halves(ptr %in, ptr %out) {
entry:
  %values = alloca [8 x i32]
  call void @llvm.memset.p0.i64(ptr %values, i8 0, i64 32, i1 false)
  br label %k.loop
k.loop:
  %k = phi i32 [ 0, %entry ], [ %k.next, %k.latch ]
  %last.k = phi i32 [ 7, %entry ], [ %last.next, %k.latch ]
  br label %j.loop
j.loop:
  %j = phi i32 [ 0, %k.loop ], [ %j.next, %j.latch ]
  %last = phi i32 [ %last.k, %k.loop ], [ %last.next, %j.latch ]
  %last.next = add nsw i32 %last, -1
  %half = sdiv i32 %last, 2
  %enters = icmp sgt i32 %last, 1
  br i1 %enters, label %i.loop, label %j.latch
i.loop:
  %i = phi i32 [ 0, %j.loop ], [ %i.next, %i.loop ]
  %p = getelementptr i32, ptr %values, i32 %i
  %a = load i32, ptr %p
  %index = sub i32 %last, %i
  %q = getelementptr i32, ptr %values, i32 %index
  %b = load i32, ptr %q
  %sum = add i32 %a, %b
  store i32 %sum, ptr %p
  %i.next = add nuw nsw i32 %i, 1
  %i.more = icmp slt i32 %i.next, %half
  br i1 %i.more, label %i.loop, label %j.latch
j.latch:
  %j.next = add nuw nsw i32 %j, 1
  %j.more = icmp ult i32 %j.next, 3
  br i1 %j.more, label %j.loop, label %k.latch
k.latch:
  %k.next = add nuw nsw i32 %k, 1
  %k.more = icmp ult i32 %k.next, 2
  br i1 %k.more, label %k.loop, label %done
done:
  %result = load i32, ptr %values
  store i32 %result, ptr %out
  ret void
}

; A bound that an argument changes: nothing is unrolled.
; CHECK-LABEL: @unknown(
; CHECK: alloca [8 x i32]
; CHECK: phi
define void @unknown(ptr %out, i32 %n) {
entry:
  %values = alloca [8 x i32]
  br label %k.loop
k.loop:
  %k = phi i32 [ 1, %entry ], [ %k.next, %k.latch ]
  %m = mul i32 %k, %n
  %half = sdiv i32 %m, 2
  br label %i.loop
i.loop:
  %i = phi i32 [ 0, %k.loop ], [ %i.next, %i.loop ]
  %p = getelementptr i32, ptr %values, i32 %i
  store i32 %k, ptr %p
  %i.next = add nuw nsw i32 %i, 1
  %i.more = icmp slt i32 %i.next, %half
  br i1 %i.more, label %i.loop, label %k.latch
k.latch:
  %k.next = add nuw nsw i32 %k, 1
  %k.more = icmp ult i32 %k.next, 5
  br i1 %k.more, label %k.loop, label %done
done:
  %last = getelementptr i32, ptr %values, i32 4
  %result = load i32, ptr %last
  store i32 %result, ptr %out
  ret void
}

declare void @llvm.memset.p0.i64(ptr, i8, i64, i1)
