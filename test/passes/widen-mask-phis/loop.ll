; SPDX-License-Identifier: Apache-2.0
; SPDX-FileCopyrightText: The Quern authors
; The lanes that are still in a loop: their mask has elements of 32 bits, as those that are compared and selected.
; Uniform conditions are extended before they are repeated.
; RUN: env QUERN_CPU=haswell %quernc --passes=widen-mask-phis %s | FileCheck %s

; CHECK-LABEL: @loop(
; CHECK: %[[START:[0-9]+]] = sext <8 x i1> %active to <8 x i32>
; CHECK: loop:
; CHECK: %[[LANES:lanes[0-9]*]] = phi <8 x i32> [ %[[START]], %entry ], [ %[[NEXT:[0-9]+]], %loop ]
; CHECK: %[[USED:[0-9]+]] = icmp slt <8 x i32> %[[LANES]], zeroinitializer
; CHECK: %sum.next = select <8 x i1> %[[USED]], <8 x float>
; CHECK: %[[UNIFORM:[0-9]+]] = sext i1 %more to i32
; CHECK: insertelement <8 x i32> poison, i32 %[[UNIFORM]], i64 0
; CHECK: sext <8 x i1> %small to <8 x i32>
; CHECK: freeze <8 x i32>
; CHECK: and <8 x i32>
; CHECK: %[[NEXT]] = and <8 x i32> %[[LANES]],
; CHECK: icmp slt <8 x i32> %[[NEXT]], zeroinitializer
; CHECK-NEXT: bitcast <8 x i1>
; CHECK-NOT: phi <8 x i1>
; CHECK: ret void
define void @loop(ptr %p, <8 x i1> %active, <8 x float> %step, i32 %count) {
entry:
  br label %loop
loop:
  %lanes = phi <8 x i1> [ %active, %entry ], [ %lanes.next, %loop ]
  %sum = phi <8 x float> [ zeroinitializer, %entry ], [ %sum.next, %loop ]
  %i = phi i32 [ 0, %entry ], [ %i.next, %loop ]
  %added = fadd <8 x float> %sum, %step
  %sum.next = select <8 x i1> %lanes, <8 x float> %added, <8 x float> %sum
  %small = fcmp olt <8 x float> %sum.next, splat (float 100.0)
  %i.next = add i32 %i, 1
  %more = icmp ult i32 %i.next, %count
  %one = insertelement <8 x i1> poison, i1 %more, i64 0
  %all = shufflevector <8 x i1> %one, <8 x i1> poison, <8 x i32> zeroinitializer
  %both = select <8 x i1> %all, <8 x i1> %small, <8 x i1> zeroinitializer
  %lanes.next = and <8 x i1> %lanes, %both
  %bits = bitcast <8 x i1> %lanes.next to i8
  %none = icmp eq i8 %bits, 0
  br i1 %none, label %done, label %loop
done:
  store <8 x float> %sum.next, ptr %p
  ret void
}
