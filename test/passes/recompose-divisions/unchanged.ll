; SPDX-License-Identifier: Apache-2.0
; SPDX-FileCopyrightText: The Quern authors
; Another number: the program's own guard of the divisor, another divisor, dividend or factor, or signs that differ.
; RUN: %quernc --passes=recompose-divisions %s | FileCheck %s
; RUN: %quernc --passes="make-divisions-defined,early-cse,recompose-divisions" %s | FileCheck %s

; CHECK-LABEL: @own_guard(
; CHECK: add i32
define i32 @own_guard(i32 %x, i32 %y) {
  %safe = call i32 @llvm.umax.i32(i32 %y, i32 1)
  %q = udiv i32 %x, %safe
  %r = urem i32 %x, %safe
  %m = mul i32 %q, %y
  %s = add i32 %m, %r
  ret i32 %s
}

; CHECK-LABEL: @own_choice(
; CHECK: add i32
define i32 @own_choice(i32 %x, i32 %y) {
  %special = icmp slt i32 %y, 1
  %safe = select i1 %special, i32 1, i32 %y
  %q = sdiv i32 %x, %safe
  %r = srem i32 %x, %safe
  %m = mul i32 %q, %y
  %s = add i32 %m, %r
  ret i32 %s
}

; CHECK-LABEL: @other_component(
; CHECK: add i32
define i32 @other_component(i32 %x, <2 x i32> %size) {
  %w = extractelement <2 x i32> %size, i64 0
  %h = extractelement <2 x i32> %size, i64 1
  %q = sdiv i32 %x, %h
  %r = srem i32 %x, %w
  %m = mul i32 %q, %w
  %s = add i32 %m, %r
  ret i32 %s
}

; CHECK-LABEL: @loaded_again(
; CHECK: add i32
define i32 @loaded_again(i32 %x, ptr addrspace(1) %p) {
  %w = load i32, ptr addrspace(1) %p
  %q = sdiv i32 %x, %w
  %m = mul i32 %q, %w
  store i32 7, ptr addrspace(1) %p
  %again = load i32, ptr addrspace(1) %p
  %r = srem i32 %x, %again
  %s = add i32 %m, %r
  ret i32 %s
}

; CHECK-LABEL: @other_divisor(
; CHECK: add i32
define i32 @other_divisor(i32 %x, i32 %y, i32 %z) {
  %q = udiv i32 %x, %y
  %r = urem i32 %x, %z
  %m = mul i32 %q, %y
  %s = add i32 %m, %r
  ret i32 %s
}

; CHECK-LABEL: @other_dividend(
; CHECK: add i32
define i32 @other_dividend(i32 %x, i32 %y, i32 %z) {
  %q = udiv i32 %z, %y
  %r = urem i32 %x, %y
  %m = mul i32 %q, %y
  %s = add i32 %m, %r
  ret i32 %s
}

; CHECK-LABEL: @other_factor(
; CHECK: add i32
define i32 @other_factor(i32 %x, i32 %y, i32 %z) {
  %q = udiv i32 %x, %y
  %r = urem i32 %x, %y
  %m = mul i32 %q, %z
  %s = add i32 %m, %r
  ret i32 %s
}

; CHECK-LABEL: @signs(
; CHECK: add i32
define i32 @signs(i32 %x, i32 %y) {
  %q = udiv i32 %x, %y
  %r = srem i32 %x, %y
  %m = mul i32 %q, %y
  %s = add i32 %m, %r
  ret i32 %s
}

declare i32 @llvm.umax.i32(i32, i32)
