; SPDX-License-Identifier: Apache-2.0
; SPDX-FileCopyrightText: The Quern authors
; As Clang writes it: variables in memory, and a component taken from a vector at each use. The guards of the divisors
; come afterwards, and have nothing to do.
; RUN: %quernc --passes="recompose-divisions,make-divisions-defined" %s | FileCheck %s

; CHECK-LABEL: @variables(
; CHECK-NOT: alloca
; CHECK: ret i32 %x
define i32 @variables(i32 %x, <2 x i32> %size) {
  %x.address = alloca i32
  %size.address = alloca <2 x i32>
  %h = alloca i32
  store i32 %x, ptr %x.address
  store <2 x i32> %size, ptr %size.address
  %x0 = load i32, ptr %x.address
  %size0 = load <2 x i32>, ptr %size.address
  %w0 = extractelement <2 x i32> %size0, i64 1
  %q = sdiv i32 %x0, %w0
  store i32 %q, ptr %h
  %h0 = load i32, ptr %h
  %size1 = load <2 x i32>, ptr %size.address
  %w1 = extractelement <2 x i32> %size1, i64 1
  %m = mul nsw i32 %h0, %w1
  %x1 = load i32, ptr %x.address
  %size2 = load <2 x i32>, ptr %size.address
  %w2 = extractelement <2 x i32> %size2, i64 1
  %r = srem i32 %x1, %w2
  %s = add nsw i32 %m, %r
  ret i32 %s
}
