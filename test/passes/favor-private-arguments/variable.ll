; SPDX-License-Identifier: Apache-2.0
; SPDX-FileCopyrightText: The Quern authors
; A function that gets the address of a private variable, or of an element, asks for inlining; one that gets pointers to
; other memory does not.
; RUN: %quernc --passes=favor-private-arguments %s | FileCheck %s

; CHECK: define internal void @helper(ptr %values) #[[ALWAYS:[0-9]+]]
define internal void @helper(ptr %values) {
  store float 0.0, ptr %values
  ret void
}

; CHECK: define internal void @helper_of_element(ptr %values) #[[ALWAYS]]
define internal void @helper_of_element(ptr %values) {
  store float 0.0, ptr %values
  ret void
}

; CHECK: define internal void @write(ptr addrspace(1) %memory) {
define internal void @write(ptr addrspace(1) %memory) {
  store float 0.0, ptr addrspace(1) %memory
  ret void
}

define void @kernel(ptr addrspace(1) %memory) {
  %variable = alloca [16 x float]
  %element = getelementptr i8, ptr %variable, i64 32
  call void @helper(ptr %variable)
  call void @helper_of_element(ptr %element)
  call void @write(ptr addrspace(1) %memory)
  ret void
}

; CHECK: attributes #[[ALWAYS]] = { alwaysinline }
