; SPDX-License-Identifier: Apache-2.0
; SPDX-FileCopyrightText: The Quern authors
; A format in another address space is cast, so that all calls have the declaration's type.
; RUN: %quernc --passes=unify-printf %s | FileCheck %s

; CHECK-LABEL: @global_format(
; CHECK: %[[FORMAT:[0-9]+]] = addrspacecast ptr addrspace(1) %format to ptr addrspace(2)
; CHECK: call i32 (ptr addrspace(2), ...) @printf(ptr addrspace(2) %[[FORMAT]], i32 7)
define i32 @global_format(ptr addrspace(1) %format) {
  %n = call i32 (ptr addrspace(1), ...) @printf(ptr addrspace(1) %format, i32 7)
  ret i32 %n
}

declare i32 @printf(ptr addrspace(2), ...)
