; SPDX-License-Identifier: Apache-2.0
; SPDX-FileCopyrightText: The Quern authors
; Aliases become what they stand for, and no list keeps anything.
; RUN: %quernc --passes=protect-names %s | FileCheck %s

; CHECK-NOT: llvm.used
; CHECK-NOT: alias
; CHECK: define void @f.program()
; CHECK: call void @f.program()
@llvm.used = appending global [1 x ptr] [ptr @f], section "llvm.metadata"
@other = alias void (), ptr @f

define void @f() {
  ret void
}

define internal void @g() {
  call void @other()
  ret void
}
