; SPDX-License-Identifier: Apache-2.0
; SPDX-FileCopyrightText: The Quern authors
; What is not to be inlined, a function or one call of it, stays a call.
; RUN: %quernc --passes=favor-private-arguments %s | FileCheck %s

define internal void @helper(ptr %value) {
  store float 0.0, ptr %value
  ret void
}

define internal void @outlined(ptr %value) noinline {
  store float 0.0, ptr %value
  ret void
}

; CHECK-NOT: alwaysinline
define void @kernel() {
  %variable = alloca float
  call void @outlined(ptr %variable)
  call void @helper(ptr %variable) noinline
  ret void
}
