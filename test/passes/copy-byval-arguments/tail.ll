; SPDX-License-Identifier: Apache-2.0
; SPDX-FileCopyrightText: The Quern authors
; A call is no tail call any more: the function sees a variable of its caller.
; RUN: %quernc --passes=copy-byval-arguments %s | FileCheck %s

; CHECK-LABEL: @caller(
; CHECK: {{^}}  call void @f(ptr align 64 %s)
define internal void @f(ptr byval(i32) align 64 %s) {
  store i32 1, ptr %s
  ret void
}

define void @caller() {
  %s = alloca i32, align 64
  tail call void @f(ptr byval(i32) align 64 %s)
  ret void
}
