; SPDX-License-Identifier: Apache-2.0
; SPDX-FileCopyrightText: The Quern authors
; Private memory is the stack frame or barrier context; global is what is neither.
; RUN: %quernc --passes=lower-address-queries %s | FileCheck %s

; CHECK-LABEL: @query(
; CHECK: call ptr @llvm.stacksave
; CHECK: call ptr @llvm.frameaddress
; CHECK: ptrtoint ptr %scratch to i64
; CHECK: xor i1
; CHECK-NOT: call ptr addrspace(1) @__to_global
define void @query(ptr %p, ptr %out,
                   ptr %ndrange, ptr addrspace(3) %local, ptr %scratch, ptr %memory, i64 %id.x, i64 %id.y, i64 %id.z,
                    i64 %size.x, i64 %size.y, i64 %size.z) {
  %q = call ptr addrspace(1) @__to_global(ptr %p)
  store ptr addrspace(1) %q, ptr %out
  ret void
}

declare ptr addrspace(1) @__to_global(ptr)
