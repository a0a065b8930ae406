; SPDX-License-Identifier: Apache-2.0
; SPDX-FileCopyrightText: The Quern authors
; What a local pointer points to is private once its size is known, and not too large.
; RUN: %quernc --passes=make-local-memory-private %s | FileCheck %s

; CHECK-LABEL: define spir_kernel void @known(
; CHECK-NEXT: %[[MEMORY:.*]] = alloca [64 x i8], align 128
; CHECK-NEXT: %[[POINTER:.*]] = addrspacecast ptr %[[MEMORY]] to ptr addrspace(3)
; CHECK-NEXT: store i32 1, ptr addrspace(3) %[[POINTER]]
; CHECK-NEXT: ret void
define spir_kernel void @known(ptr addrspace(3) "quern-known-local-memory"="64" %memory) !reqd_work_group_size !0 {
  store i32 1, ptr addrspace(3) %memory
  call spir_func void @_Z7barrierj(i32 1)
  ret void
}

; CHECK-LABEL: define spir_kernel void @unknown(
; CHECK-NEXT: store i32 1, ptr addrspace(3) %memory
; CHECK-NEXT: call spir_func void @_Z7barrierj(i32 1)
define spir_kernel void @unknown(ptr addrspace(3) %memory) !reqd_work_group_size !0 {
  store i32 1, ptr addrspace(3) %memory
  call spir_func void @_Z7barrierj(i32 1)
  ret void
}

; CHECK-LABEL: define spir_kernel void @large(
; CHECK-NEXT: store i32 1, ptr addrspace(3) %memory
; CHECK-NEXT: call spir_func void @_Z7barrierj(i32 1)
define spir_kernel void @large(ptr addrspace(3) "quern-known-local-memory"="1048576" %memory) !reqd_work_group_size !0 {
  store i32 1, ptr addrspace(3) %memory
  call spir_func void @_Z7barrierj(i32 1)
  ret void
}

declare spir_func void @_Z7barrierj(i32)

!0 = !{i32 1, i32 1, i32 1}
