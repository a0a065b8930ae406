; SPDX-License-Identifier: Apache-2.0
; SPDX-FileCopyrightText: The Quern authors
; A mask of one register is best carried along.
; RUN: %quernc --passes=trip-count-masks %s | FileCheck %s

; CHECK-LABEL: @one_register(
; CHECK: %on = phi <16 x i1>
define void @one_register(<16 x i32> %counts, <16 x i1> %first) "prefer-vector-width"="512" {
entry:
  %bound = and <16 x i32> %counts, splat (i32 1073741820)
  br label %loop
loop:
  %turn = phi i32 [ 0, %entry ], [ %turn.next, %loop ]
  %on = phi <16 x i1> [ %first, %entry ], [ %on.next, %loop ]
  call void @use.16(i32 %turn, <16 x i1> %on)
  %turn.next = add i32 %turn, 4
  %head = insertelement <16 x i32> poison, i32 %turn, i64 0
  %turns = shufflevector <16 x i32> %head, <16 x i32> poison, <16 x i32> zeroinitializer
  %below = icmp ult <16 x i32> %turns, %bound
  %on.next = select <16 x i1> %on, <16 x i1> %below, <16 x i1> zeroinitializer
  %bits = bitcast <16 x i1> %on.next to i16
  %none = icmp eq i16 %bits, 0
  br i1 %none, label %exit, label %loop
exit:
  ret void
}

declare void @use.16(i32, <16 x i1>)
