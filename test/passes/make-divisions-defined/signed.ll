; SPDX-License-Identifier: Apache-2.0
; SPDX-FileCopyrightText: The Quern authors
; By -1 a quotient is the negation, which does not overflow; a remainder needs no more than a divisor.
; RUN: %quernc --passes=make-divisions-defined %s | FileCheck %s

; CHECK-LABEL: @quotient(
; CHECK: %[[Y:[0-9]+]] = select i1 %{{[0-9]+}}, i32 1, i32 %y
; CHECK: %q = sdiv i32 %x, %[[Y]]
; CHECK: %[[NEGATIVE:[0-9]+]] = sub i32 0, %x
; CHECK: %[[RESULT:[0-9]+]] = select i1 %{{[0-9]+}}, i32 %[[NEGATIVE]], i32 %q
; CHECK: ret i32 %[[RESULT]]
define i32 @quotient(i32 %x, i32 %y) {
  %q = sdiv i32 %x, %y
  ret i32 %q
}

; CHECK-LABEL: @remainder(
; CHECK: select i1
; CHECK: %r = srem i32
; CHECK-NEXT: ret i32 %r
define i32 @remainder(i32 %x, i32 %y) {
  %r = srem i32 %x, %y
  ret i32 %r
}
