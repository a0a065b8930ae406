; SPDX-License-Identifier: Apache-2.0
; SPDX-FileCopyrightText: The Quern authors
; Another number: the program's own guard of the divisor, another divisor, dividend or factor, or signs that differ.
; RUN: %quernc --passes=recompose-divisions %s | FileCheck %s

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
