; SPDX-License-Identifier: Apache-2.0
; SPDX-FileCopyrightText: The Quern authors
; A branch with one way that leads nowhere is a jump.
; RUN: %quernc --passes=remove-unreachable-edges %s | FileCheck %s

; CHECK-LABEL: @branch(
; CHECK: br label %next
define i32 @branch(i1 %c) {
  br i1 %c, label %dead, label %next
dead:
  unreachable
next:
  ret i32 1
}
