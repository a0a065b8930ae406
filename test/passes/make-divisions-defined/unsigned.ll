; SPDX-License-Identifier: Apache-2.0
; SPDX-FileCopyrightText: The Quern authors
; The divisor of an unsigned division is at least 1.
; RUN: %quernc --passes=make-divisions-defined %s | FileCheck %s

; CHECK-LABEL: @unsigned(
; CHECK: %[[Y:[0-9]+]] = call i32 @llvm.umax.i32(i32 %y, i32 1)
; CHECK: udiv i32 %x, %[[Y]]
; CHECK: urem i32 %x, %{{[0-9]+}}
define i32 @unsigned(i32 %x, i32 %y) {
  %q = udiv i32 %x, %y
  %r = urem i32 %x, %y
  %sum = add i32 %q, %r
  ret i32 %sum
}
