; SPDX-License-Identifier: Apache-2.0
; SPDX-FileCopyrightText: The Quern authors
; Recursive functions and functions without a body stay calls.
; RUN: %quernc --passes=favor-private-arguments %s | FileCheck %s

declare void @outside(ptr)

define internal void @even(ptr %value) {
  call void @odd(ptr %value)
  ret void
}

define internal void @odd(ptr %value) {
  call void @even(ptr %value)
  ret void
}

; CHECK-NOT: alwaysinline
define void @kernel() {
  %variable = alloca i32
  call void @outside(ptr %variable)
  call void @even(ptr %variable)
  ret void
}
