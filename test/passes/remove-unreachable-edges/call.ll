; SPDX-License-Identifier: Apache-2.0
; SPDX-FileCopyrightText: The Quern authors
; What is run before a program ends keeps its way.
; RUN: %quernc --passes=remove-unreachable-edges %s | FileCheck %s

; CHECK-LABEL: @call(
; CHECK: br i1 %c, label %trap, label %next
define i32 @call(i1 %c) {
  br i1 %c, label %trap, label %next
trap:
  call void @llvm.trap()
  unreachable
next:
  ret i32 1
}

; CHECK-LABEL: @both(
; CHECK: br i1 %c, label %dead, label %end
define void @both(i1 %c) {
  br i1 %c, label %dead, label %end
dead:
  unreachable
end:
  unreachable
}
