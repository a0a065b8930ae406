; SPDX-License-Identifier: Apache-2.0
; SPDX-FileCopyrightText: The Quern authors
; Atomic operations on local memory become plain ones.
; RUN: %quernc --passes=local-atomics %s | FileCheck %s

; CHECK-LABEL: @lowered(
; CHECK-NOT: atomic
; CHECK: load i32, ptr addrspace(3) %p
; CHECK: add i32
; CHECK: store i32
; CHECK-NOT: cmpxchg
; CHECK: ret
define i32 @lowered(ptr addrspace(3) %p) {
  %old = atomicrmw add ptr addrspace(3) %p, i32 1 seq_cst
  %pair = cmpxchg ptr addrspace(3) %p, i32 %old, i32 7 seq_cst seq_cst
  %value = load atomic i32, ptr addrspace(3) %p seq_cst, align 4
  store atomic i32 %value, ptr addrspace(3) %p release, align 4
  ret i32 %value
}
