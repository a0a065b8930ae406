; SPDX-License-Identifier: Apache-2.0
; SPDX-FileCopyrightText: The Quern authors
; What is only declared, internal, or LLVM's keeps its name.
; RUN: %quernc --passes=protect-names %s | FileCheck %s

; CHECK: @llvm.global_ctors =
; CHECK: define internal void @f()
; CHECK: declare void @builtin()
@llvm.global_ctors = appending global [1 x { i32, ptr, ptr }] [{ i32, ptr, ptr } { i32 65535, ptr @f, ptr null }]

define internal void @f() {
  call void @builtin()
  ret void
}

declare void @builtin()
