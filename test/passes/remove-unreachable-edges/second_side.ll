; SPDX-License-Identifier: Apache-2.0
; SPDX-FileCopyrightText: The Quern authors
; The other side may be the one that leads nowhere, and a phi behind the branch keeps its value.
; RUN: %quernc --passes="remove-unreachable-edges" %s | FileCheck %s

; CHECK-LABEL: @second_side(
; CHECK: entry:
; CHECK-NEXT: br label %next
; CHECK: phi i32 [ 4, %entry ]
define i32 @second_side(i1 %c) {
entry:
  br i1 %c, label %next, label %dead
dead:
  unreachable
next:
  %x = phi i32 [ 4, %entry ]
  ret i32 %x
}
