; SPDX-License-Identifier: Apache-2.0
; SPDX-FileCopyrightText: The Quern authors
; In work-groups of one work-item a local variable is private, and there is nobody to wait for.
; RUN: %quernc --passes=make-local-memory-private %s | FileCheck %s

@table = internal addrspace(3) global [16 x i32] poison

; CHECK-LABEL: define spir_kernel void @single(
; CHECK-NEXT: %[[TABLE:.*]] = alloca [16 x i32]
; CHECK-NEXT: %[[POINTER:.*]] = addrspacecast ptr %[[TABLE]] to ptr addrspace(3)
; CHECK-NEXT: store i32 1, ptr addrspace(3) %[[POINTER]]
; CHECK-NEXT: load i32, ptr addrspace(3) %[[POINTER]]
; CHECK-NOT: @_Z7barrierj
define spir_kernel void @single(ptr addrspace(1) %out) !reqd_work_group_size !0 {
  store i32 1, ptr addrspace(3) @table
  call spir_func void @_Z7barrierj(i32 1)
  %x = load i32, ptr addrspace(3) @table
  store i32 %x, ptr addrspace(1) %out
  ret void
}

; CHECK-LABEL: define spir_kernel void @several(
; CHECK-NEXT: store i32 1, ptr addrspace(3) @table
; CHECK-NEXT: call spir_func void @_Z7barrierj(i32 1)
define spir_kernel void @several(ptr addrspace(1) %out) !reqd_work_group_size !1 {
  store i32 1, ptr addrspace(3) @table
  call spir_func void @_Z7barrierj(i32 1)
  %x = load i32, ptr addrspace(3) @table
  store i32 %x, ptr addrspace(1) %out
  ret void
}

declare spir_func void @_Z7barrierj(i32)

!0 = !{i32 1, i32 1, i32 1}
!1 = !{i32 1, i32 2, i32 1}
