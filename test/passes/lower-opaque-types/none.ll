; SPDX-License-Identifier: Apache-2.0
; SPDX-FileCopyrightText: The Quern authors
; What names no such type is left alone, and so is the order of functions.
; RUN: %quernc --passes=lower-opaque-types %s | FileCheck %s

; CHECK: define void @first(ptr %p)
; CHECK-NOT: quern-
; CHECK: define spir_kernel void @second(ptr addrspace(1) %p)
; CHECK: define void @third(i32 %{{[0-9]+}})
define void @first(ptr %p) {
  ret void
}

define spir_kernel void @second(ptr addrspace(1) %p) {
  ret void
}

define void @third(target("spirv.Sampler") %sampler) {
  ret void
}
