; SPDX-License-Identifier: Apache-2.0
; SPDX-FileCopyrightText: The Quern authors
; A constructor takes no parameters.
; RUN: not %quernc --passes=gather-constructors %s 2>&1 | FileCheck %s

; CHECK: error: a constructor of a program-scope object is not a function without parameters
@llvm.global_ctors = appending global [1 x { i32, ptr, ptr }] [{ i32, ptr, ptr } { i32 1, ptr @f, ptr null }]

define internal void @f(i32 %x) {
  ret void
}
