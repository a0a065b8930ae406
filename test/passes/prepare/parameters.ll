; SPDX-License-Identifier: Apache-2.0
; SPDX-FileCopyrightText: The Quern authors
; A kernel gets the parameters of a work-group, and is no kernel any more.
; RUN: %quernc --passes=prepare %s | FileCheck %s

; CHECK: define void @copy(ptr addrspace(1) %out,
; CHECK-SAME: ptr noalias noundef readonly dereferenceable(112) %
; CHECK-SAME: ptr addrspace(3) noundef %
; CHECK-SAME: i64 noundef %{{[0-9]+}}) {
; CHECK-NOT: spir_kernel
define spir_kernel void @copy(ptr addrspace(1) %out) {
  store i32 1, ptr addrspace(1) %out
  ret void
}
