; SPDX-License-Identifier: Apache-2.0
; SPDX-FileCopyrightText: The Quern authors
; What is no multiple of 2^32, or is a sign extension already.
; RUN: %quernc --passes=recover-sign-extensions %s | FileCheck %s

; CHECK-LABEL: @low_bits(
; CHECK-NEXT: %shifted = shl i64 %x, 32
; CHECK-NEXT: %sum = add i64 %shifted, 4294967297
; CHECK-NEXT: ashr i64 %sum, 32
define i64 @low_bits(i64 %x) {
  %shifted = shl i64 %x, 32
  %sum = add i64 %shifted, 4294967297
  %index = ashr i64 %sum, 32
  ret i64 %index
}

; CHECK-LABEL: @extension(
; CHECK-NEXT: %shifted = shl i64 %x, 32
; CHECK-NEXT: ashr exact i64 %shifted, 30
define i64 @extension(i64 %x) {
  %shifted = shl i64 %x, 32
  %index = ashr exact i64 %shifted, 30
  ret i64 %index
}

; CHECK-LABEL: @too_far(
; CHECK: %sum = add i64 %shifted, 4294967296
; CHECK-NEXT: ashr exact i64 %sum, 33
define i64 @too_far(i64 %x) {
  %shifted = shl i64 %x, 33
  %sum = add i64 %shifted, 4294967296
  %index = ashr exact i64 %sum, 33
  ret i64 %index
}
