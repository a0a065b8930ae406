; SPDX-License-Identifier: Apache-2.0
; SPDX-FileCopyrightText: The Quern authors
; As the program wrote it: the divisor is the factor. In any order, signed and unsigned.
; RUN: %quernc --passes=recompose-divisions %s | FileCheck %s

; CHECK-LABEL: @signed(
; CHECK: ret i32 %x
define i32 @signed(i32 %x, i32 %y) {
  %q = sdiv i32 %x, %y
  %r = srem i32 %x, %y
  %m = mul nsw i32 %q, %y
  %s = add nsw i32 %m, %r
  ret i32 %s
}

; CHECK-LABEL: @swapped(
; CHECK: ret i64 %x
define i64 @swapped(i64 %x, i64 %y) {
  %r = urem i64 %x, %y
  %q = udiv i64 %x, %y
  %m = mul i64 %y, %q
  %s = add i64 %r, %m
  ret i64 %s
}

; The planes of a volume: what is put together first is a quotient of the second one.
; CHECK-LABEL: @nested(
; CHECK: ret i32 %x
define i32 @nested(i32 %x, i32 %w, i32 %h) {
  %column = urem i32 %x, %w
  %line = udiv i32 %x, %w
  %y = urem i32 %line, %h
  %z = udiv i32 %line, %h
  %plane = mul i32 %z, %h
  %lines = add i32 %plane, %y
  %first = mul i32 %lines, %w
  %s = add i32 %first, %column
  ret i32 %s
}
