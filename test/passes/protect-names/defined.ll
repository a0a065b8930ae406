; SPDX-License-Identifier: Apache-2.0
; SPDX-FileCopyrightText: The Quern authors
; What the program defines is renamed, with its uses.
; RUN: %quernc --passes=protect-names %s | FileCheck %s

; CHECK: @variable.program = addrspace(1) global
; CHECK: define void @memcpy.program()
; CHECK: call void @memcpy.program()
@variable = addrspace(1) global i32 0

define void @memcpy() {
  ret void
}

define internal void @f() {
  call void @memcpy()
  ret void
}
