; SPDX-License-Identifier: Apache-2.0
; SPDX-FileCopyrightText: The Quern authors
; Memory that work-items share keeps its volatile accesses, and atomic ones stay what they are.
; RUN: %quernc --passes=drop-private-volatile %s | FileCheck %s

; CHECK-LABEL: @kernel(
; CHECK: load volatile i32, ptr addrspace(1)
; CHECK: load atomic volatile i32, ptr %variable
define i32 @kernel(ptr addrspace(1) %data) {
  %variable = alloca i32
  %value = load volatile i32, ptr addrspace(1) %data
  store i32 %value, ptr %variable
  %again = load atomic volatile i32, ptr %variable monotonic, align 4
  ret i32 %again
}
