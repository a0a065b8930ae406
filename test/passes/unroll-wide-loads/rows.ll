; SPDX-License-Identifier: Apache-2.0
; SPDX-FileCopyrightText: The Quern authors
; A row of a matrix: sixteen bytes are four elements, which neighbouring lanes load from other rows. What is left, at
; most three elements, is loaded one by one.
; RUN: %quernc --passes='unroll-wide-loads<bytes=16>' %s | FileCheck %s

; CHECK-LABEL: @row(
; CHECK: and i32 %count, 3
; CHECK: and i32 %count, -4
; CHECK: unrolled:
; CHECK-COUNT-4: load i32, ptr {{.*}}, align 4
; CHECK-COUNT-4: call float @llvm.fmuladd.f32(
; CHECK: remainder:
; CHECK: load float, ptr
; CHECK: call float @llvm.fmuladd.f32(
; CHECK: ret float
define float @row(ptr %matrix, i64 %begin, i32 %count) {
entry:
  %none = icmp eq i32 %count, 0
  br i1 %none, label %exit, label %loop.preheader
loop.preheader:
  %first = getelementptr float, ptr %matrix, i64 %begin
  br label %loop
loop:
  %i = phi i32 [ 0, %loop.preheader ], [ %i.next, %loop ]
  %sum = phi float [ 0.0, %loop.preheader ], [ %sum.next, %loop ]
  %offset = zext i32 %i to i64
  %address = getelementptr inbounds float, ptr %first, i64 %offset
  %element = load float, ptr %address, align 4
  %sum.next = call float @llvm.fmuladd.f32(float %element, float 2.0, float %sum)
  %i.next = add nuw i32 %i, 1
  %more = icmp ult i32 %i.next, %count
  br i1 %more, label %loop, label %exit
exit:
  %result = phi float [ 0.0, %entry ], [ %sum.next, %loop ]
  ret float %result
}

; Numbers of 64 bits are no load stream.
; CHECK-LABEL: @wide(
; CHECK-NOT: unrolled
define double @wide(ptr %matrix, i64 %begin, i32 %count) {
entry:
  %none = icmp eq i32 %count, 0
  br i1 %none, label %exit, label %loop.preheader
loop.preheader:
  %first = getelementptr double, ptr %matrix, i64 %begin
  br label %loop
loop:
  %i = phi i32 [ 0, %loop.preheader ], [ %i.next, %loop ]
  %sum = phi double [ 0.0, %loop.preheader ], [ %sum.next, %loop ]
  %offset = zext i32 %i to i64
  %address = getelementptr inbounds double, ptr %first, i64 %offset
  %element = load double, ptr %address, align 8
  %sum.next = fadd double %element, %sum
  %i.next = add nuw i32 %i, 1
  %more = icmp ult i32 %i.next, %count
  br i1 %more, label %loop, label %exit
exit:
  %result = phi double [ 0.0, %entry ], [ %sum.next, %loop ]
  ret double %result
}
