; SPDX-License-Identifier: Apache-2.0
; SPDX-FileCopyrightText: The Quern authors
; `size - 1 - x`, which InstCombine writes with a complement: a difference in sums, and as it was elsewhere.
; RUN: %quernc --passes=recover-sign-extensions %s | FileCheck %s

; CHECK-LABEL: @reverse(
; CHECK: %[[MINUS:.*]] = sub i64 -1, %x
; CHECK: add i64 %size, %[[MINUS]]
define i64 @reverse(i64 %x, i64 %size) {
  %complement = xor i64 %x, -1
  %sum = add i64 %size, %complement
  %shifted = shl i64 %sum, 32
  %index = ashr exact i64 %shifted, 30
  ret i64 %index
}

; CHECK-LABEL: @mask(
; CHECK: xor i64 %x, -1
; CHECK-NOT: sub
define i64 @mask(i64 %x, i64 %y) {
  %complement = xor i64 %x, -1
  %bits = and i64 %y, %complement
  ret i64 %bits
}

; CHECK-LABEL: @shifted(
; CHECK: sub i64 %y, %x
; CHECK-NEXT: shl i64 %{{.*}}, 32
define i64 @shifted(i64 %x, i64 %y) {
  %a = shl i64 %x, 32
  %b = shl i64 %y, 32
  %difference = sub i64 %b, %a
  %index = ashr exact i64 %difference, 30
  ret i64 %index
}
