; SPDX-License-Identifier: Apache-2.0
; SPDX-FileCopyrightText: The Quern authors
; Behind a test that a 32-bit index is not negative InstCombine extends it with zeros. Over work-items it has unit
; stride all the same, also where it is negative for the first of them.
; RUN: %quernc --passes=recover-sign-extensions %s | FileCheck %s

; CHECK-LABEL: @tested(
; CHECK: access:
; CHECK: %[[UP:[0-9]+]] = shl i64 %x, 32
; CHECK: %index = ashr i64 %[[UP]], 32
; CHECK: getelementptr float, ptr %p, i64 %index
; CHECK: other:
; CHECK: %rest = and i64 %x, 4294967295
define float @tested(i64 %x, ptr %p) {
  %sign = and i64 %x, 2147483648
  %ok = icmp eq i64 %sign, 0
  br i1 %ok, label %access, label %other
access:
  %index = and i64 %x, 4294967295
  %a = getelementptr float, ptr %p, i64 %index
  %v = load float, ptr %a
  ret float %v
other:
  %rest = and i64 %x, 4294967295
  %b = getelementptr float, ptr %p, i64 %rest
  %w = load float, ptr %b
  ret float %w
}

; CHECK-LABEL: @compared(
; CHECK: ashr i64 %{{[0-9]+}}, 32
define float @compared(i64 %x, ptr %p) {
  %narrow = trunc i64 %x to i32
  %ok = icmp sgt i32 %narrow, -1
  br i1 %ok, label %access, label %other
access:
  %index = and i64 %x, 2147483647
  %a = getelementptr float, ptr %p, i64 %index
  %v = load float, ptr %a
  ret float %v
other:
  ret float 0.0
}
