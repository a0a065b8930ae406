; SPDX-License-Identifier: Apache-2.0
; SPDX-FileCopyrightText: The Quern authors
; A function that hands its argument on may itself be inlined to where the variable is.
; RUN: %quernc --passes=favor-private-arguments %s | FileCheck %s

define internal void @inner(ptr %value) {
  store float 0.0, ptr %value
  ret void
}

; CHECK-LABEL: @outer(
; CHECK: call void @inner(ptr %half) #[[ALWAYS:[0-9]+]]
define internal void @outer(ptr %values) {
  %half = getelementptr i8, ptr %values, i64 32
  call void @inner(ptr %half)
  ret void
}

; CHECK-LABEL: @kernel(
; CHECK: call void @outer(ptr %variable) #[[ALWAYS]]
define void @kernel() {
  %variable = alloca [16 x float]
  call void @outer(ptr %variable)
  ret void
}
