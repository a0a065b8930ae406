; SPDX-License-Identifier: Apache-2.0
; SPDX-FileCopyrightText: The Quern authors
; Masks of elements that have the width which type legalization gives the mask, of nothing that has a width, and such
; that would take more than two further registers.
; RUN: env QUERN_CPU=haswell %quernc --passes=widen-mask-phis %s | FileCheck %s

; CHECK-LABEL: @floats(
; CHECK: phi <4 x i1>
define void @floats(ptr %p, <4 x float> %x, i1 %uniform) {
entry:
  %positive = fcmp ogt <4 x float> %x, zeroinitializer
  br i1 %uniform, label %first, label %second
first:
  br label %second
second:
  %mask = phi <4 x i1> [ %positive, %first ], [ zeroinitializer, %entry ]
  %result = select <4 x i1> %mask, <4 x float> %x, <4 x float> splat (float 1.0)
  store <4 x float> %result, ptr %p
  ret void
}

; CHECK-LABEL: @bits(
; CHECK: phi <8 x i1>
define i8 @bits(<8 x i1> %x, i1 %uniform) {
entry:
  br i1 %uniform, label %first, label %second
first:
  br label %second
second:
  %mask = phi <8 x i1> [ %x, %first ], [ zeroinitializer, %entry ]
  %result = bitcast <8 x i1> %mask to i8
  ret i8 %result
}

; CHECK-LABEL: @many(
; CHECK: phi <32 x i1>
define void @many(ptr %p, <32 x float> %x, i1 %uniform) {
entry:
  %positive = fcmp ogt <32 x float> %x, zeroinitializer
  br i1 %uniform, label %first, label %second
first:
  br label %second
second:
  %mask = phi <32 x i1> [ %positive, %first ], [ zeroinitializer, %entry ]
  %result = select <32 x i1> %mask, <32 x float> %x, <32 x float> splat (float 1.0)
  store <32 x float> %result, ptr %p
  ret void
}
