; SPDX-License-Identifier: Apache-2.0
; SPDX-FileCopyrightText: The Quern authors
; The address of a private variable, or of an element, asks for inlining; pointers to other memory do not.
; RUN: %quernc --passes=favor-private-arguments %s | FileCheck %s

define internal void @helper(ptr %values) {
  store float 0.0, ptr %values
  ret void
}

define internal void @write(ptr addrspace(1) %memory) {
  store float 0.0, ptr addrspace(1) %memory
  ret void
}

; CHECK-LABEL: @kernel(
; CHECK: call void @helper(ptr %variable) #[[ALWAYS:[0-9]+]]
; CHECK: call void @helper(ptr %element) #[[ALWAYS]]
; CHECK: call void @write(ptr addrspace(1) %memory){{$}}
define void @kernel(ptr addrspace(1) %memory) {
  %variable = alloca [16 x float]
  %element = getelementptr i8, ptr %variable, i64 32
  call void @helper(ptr %variable)
  call void @helper(ptr %element)
  call void @write(ptr addrspace(1) %memory)
  ret void
}

; CHECK: attributes #[[ALWAYS]] = { alwaysinline }
