; SPDX-License-Identifier: Apache-2.0
; SPDX-FileCopyrightText: The Quern authors
; A counter that does not begin at zero tells nothing of iterations.
; RUN: %quernc --passes="trip-count-masks" %s | FileCheck %s

; CHECK-LABEL: @later_start(
; CHECK: %on = phi <64 x i1>
; CHECK: icmp eq i64 %bits, 0
define void @later_start(<64 x i32> %counts, <64 x i1> %first) {
entry:
  %bound = and <64 x i32> %counts, splat (i32 1073741820)
  br label %loop
loop:
  %counter = phi i32 [ 8, %entry ], [ %counter.next, %loop ]
  %on = phi <64 x i1> [ %first, %entry ], [ %on.next, %loop ]
  call void @use.64(i32 %counter, <64 x i1> %on)
  %counter.next = add i32 %counter, 4
  %head = insertelement <64 x i32> poison, i32 %counter, i64 0
  %counters = shufflevector <64 x i32> %head, <64 x i32> poison, <64 x i32> zeroinitializer
  %below = icmp ult <64 x i32> %counters, %bound
  %on.next = select <64 x i1> %on, <64 x i1> %below, <64 x i1> zeroinitializer
  %bits = bitcast <64 x i1> %on.next to i64
  %none = icmp eq i64 %bits, 0
  br i1 %none, label %exit, label %loop
exit:
  ret void
}

declare void @use.64(i32, <64 x i1>)
