; SPDX-License-Identifier: Apache-2.0
; SPDX-FileCopyrightText: The Quern authors
; A call of the right type stays as it is.
; RUN: %quernc --passes=unify-printf %s | FileCheck %s

; CHECK-LABEL: @same(
; CHECK-NEXT: call i32 (ptr addrspace(2), ...) @printf(ptr addrspace(2) %format)
define i32 @same(ptr addrspace(2) %format) {
  %n = call i32 (ptr addrspace(2), ...) @printf(ptr addrspace(2) %format)
  ret i32 %n
}

declare i32 @printf(ptr addrspace(2), ...)
