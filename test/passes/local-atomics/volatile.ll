; SPDX-License-Identifier: Apache-2.0
; SPDX-FileCopyrightText: The Quern authors
; What is volatile stays so.
; RUN: %quernc --passes=local-atomics %s | FileCheck %s

; CHECK-LABEL: @volatile(
; CHECK: load volatile i32, ptr addrspace(3) %p
; CHECK: store volatile i32 %value, ptr addrspace(3) %p
define void @volatile(ptr addrspace(3) %p) {
  %value = load atomic volatile i32, ptr addrspace(3) %p seq_cst, align 4
  store atomic volatile i32 %value, ptr addrspace(3) %p seq_cst, align 4
  ret void
}
