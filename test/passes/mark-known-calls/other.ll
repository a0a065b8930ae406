; SPDX-License-Identifier: Apache-2.0
; SPDX-FileCopyrightText: The Quern authors
; Other calls stay calls.
; RUN: %quernc --passes=mark-known-calls %s | FileCheck %s

; CHECK: define i32 @read(ptr addrspace(2) %image) #[[KEPT:[0-9]+]]
; CHECK: attributes #[[KEPT]] = { noinline }
define i32 @read(ptr addrspace(2) %image) noinline {
  ret i32 1
}

define void @kernel(ptr addrspace(2) "quern-known-image"="1023 4 4277 4306" %image, ptr addrspace(2) %other) {
  %r = call i32 @read(ptr addrspace(2) %other)
  ret void
}
