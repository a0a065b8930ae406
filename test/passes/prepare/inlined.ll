; SPDX-License-Identifier: Apache-2.0
; SPDX-FileCopyrightText: The Quern authors
; What asks for a work-item's place is inlined, other functions are internal and keep no convention.
; RUN: %quernc --passes=prepare %s | FileCheck %s

; CHECK: define internal i64 @plain(
; CHECK-LABEL: define void @kernel(
; CHECK: call i64 @_Z13get_global_idj(i32 0)
; CHECK: call i64 @plain(i64
define spir_func i64 @place() {
  %id = call spir_func i64 @_Z13get_global_idj(i32 0)
  ret i64 %id
}

define spir_func i64 @plain(i64 %x) noinline {
  %y = mul i64 %x, 3
  ret i64 %y
}

define spir_kernel void @kernel(ptr addrspace(1) %out) {
  %id = call spir_func i64 @place()
  %x = call spir_func i64 @plain(i64 %id)
  store i64 %x, ptr addrspace(1) %out
  ret void
}

declare spir_func i64 @_Z13get_global_idj(i32)
