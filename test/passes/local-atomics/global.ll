; SPDX-License-Identifier: Apache-2.0
; SPDX-FileCopyrightText: The Quern authors
; Memory that other threads see keeps its atomic operations.
; RUN: %quernc --passes=local-atomics %s | FileCheck %s

; CHECK-LABEL: @global(
; CHECK: atomicrmw add ptr addrspace(1) %p, i32 1 seq_cst
; CHECK: cmpxchg ptr %q
; CHECK: load atomic i32, ptr addrspace(1) %p acquire
; CHECK: store atomic i32 %value, ptr addrspace(1) %p release
define void @global(ptr addrspace(1) %p, ptr %q) {
  %old = atomicrmw add ptr addrspace(1) %p, i32 1 seq_cst
  %pair = cmpxchg ptr %q, i32 %old, i32 7 seq_cst seq_cst
  %value = load atomic i32, ptr addrspace(1) %p acquire, align 4
  store atomic i32 %value, ptr addrspace(1) %p release, align 4
  ret void
}
