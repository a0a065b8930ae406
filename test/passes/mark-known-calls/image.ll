; SPDX-License-Identifier: Apache-2.0
; SPDX-FileCopyrightText: The Quern authors
; What is handed a known image is inlined, even if it was not to be.
; RUN: %quernc --passes=mark-known-calls %s | FileCheck %s

; CHECK: define i32 @read(ptr addrspace(2) %image) #[[INLINED:[0-9]+]]
; CHECK: attributes #[[INLINED]] = { alwaysinline }
define i32 @read(ptr addrspace(2) %image) noinline {
  ret i32 1
}

define void @kernel(ptr addrspace(2) "quern-known-image"="1023 4 4277 4306" %image) {
  %r = call i32 @read(ptr addrspace(2) %image) noinline
  ret void
}
