; SPDX-License-Identifier: Apache-2.0
; SPDX-FileCopyrightText: The Quern authors
; Divisions by 0 or -1 have been made defined, and the quotient by -1 is chosen afterwards. The result is unspecified
; for such divisors, so that it may be the dividend.
; RUN: %quernc --passes="make-divisions-defined,recompose-divisions" %s | FileCheck %s

; CHECK-LABEL: @signed(
; CHECK: ret i32 %x
define i32 @signed(i32 %x, i32 %y) {
  %q = sdiv i32 %x, %y
  %r = srem i32 %x, %y
  %m = mul nsw i32 %q, %y
  %s = add nsw i32 %m, %r
  ret i32 %s
}

; CHECK-LABEL: @unsigned(
; CHECK: ret i32 %x
define i32 @unsigned(i32 %x, i32 %y) {
  %q = udiv i32 %x, %y
  %r = urem i32 %x, %y
  %m = mul i32 %q, %y
  %s = add i32 %m, %r
  ret i32 %s
}
