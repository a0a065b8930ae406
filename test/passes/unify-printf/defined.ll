; SPDX-License-Identifier: Apache-2.0
; SPDX-FileCopyrightText: The Quern authors
; A function of that name which the program defines is the program's own.
; RUN: %quernc --passes=unify-printf %s | FileCheck %s

; CHECK-LABEL: @call(
; CHECK-NOT: addrspacecast
; CHECK: call i32 (ptr addrspace(1), ...) @printf(ptr addrspace(1) %format)
define i32 @call(ptr addrspace(1) %format) {
  %n = call i32 (ptr addrspace(1), ...) @printf(ptr addrspace(1) %format)
  ret i32 %n
}

define i32 @printf(ptr addrspace(2) %format, ...) {
  ret i32 0
}
