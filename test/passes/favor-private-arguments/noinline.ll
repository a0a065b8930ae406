; SPDX-License-Identifier: Apache-2.0
; SPDX-FileCopyrightText: The Quern authors
; What is not to be inlined, a function or one call of it, stays a call.
; RUN: %quernc --passes=optimize-scalar %s | FileCheck %s

define internal void @helper(ptr %value) {
  %old = load i32, ptr %value
  %new = mul i32 %old, %old
  store i32 %new, ptr %value
  ret void
}

define internal void @outlined(ptr %value) noinline {
  %old = load i32, ptr %value
  %new = mul i32 %old, 7
  store i32 %new, ptr %value
  ret void
}

; CHECK-LABEL: @kernel(
; CHECK: call fastcc void @outlined
; CHECK: call fastcc void @helper
; CHECK-NOT: call
define i32 @kernel(i32 %x) {
  %variable = alloca i32
  store i32 %x, ptr %variable
  call void @outlined(ptr %variable)
  call void @helper(ptr %variable) noinline
  call void @helper(ptr %variable)
  %result = load i32, ptr %variable
  ret i32 %result
}
