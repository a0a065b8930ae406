; SPDX-License-Identifier: Apache-2.0
; SPDX-FileCopyrightText: The Quern authors
; Four masks of doubles have 64 bits each; the other operations between phis are written again, too.
; RUN: env QUERN_CPU=haswell %quernc --passes=widen-mask-phis %s | FileCheck %s

; CHECK-LABEL: @doubles(
; CHECK: first:
; CHECK: %[[A:[0-9]+]] = sext <4 x i1> %positive to <4 x i64>
; CHECK: second:
; CHECK: %[[PHI:mask[0-9]*]] = phi <4 x i64> [ %[[A]], %first ], [ zeroinitializer, %entry ]
; CHECK: %[[NOT:[0-9]+]] = xor <4 x i64> %[[PHI]], splat (i64 -1)
; CHECK: %[[CHOSEN:[0-9]+]] = select i1 %uniform, <4 x i64> %[[NOT]], <4 x i64> %[[PHI]]
; CHECK: icmp slt <4 x i64> %[[CHOSEN]], zeroinitializer
; CHECK: ret void
define void @doubles(ptr %p, <4 x double> %x, i1 %uniform) {
entry:
  br i1 %uniform, label %first, label %second
first:
  %positive = fcmp ogt <4 x double> %x, zeroinitializer
  br label %second
second:
  %mask = phi <4 x i1> [ %positive, %first ], [ zeroinitializer, %entry ]
  %not = xor <4 x i1> %mask, splat (i1 true)
  %chosen = select i1 %uniform, <4 x i1> %not, <4 x i1> %mask
  %result = select <4 x i1> %chosen, <4 x double> %x, <4 x double> splat (double 1.0)
  store <4 x double> %result, ptr %p
  ret void
}
