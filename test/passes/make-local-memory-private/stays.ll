; SPDX-License-Identifier: Apache-2.0
; SPDX-FileCopyrightText: The Quern authors
; A barrier for the device orders memory that other groups see; sub-groups and address spaces can be asked for.
; RUN: %quernc --passes=make-local-memory-private %s | FileCheck %s

@table = internal addrspace(3) global [16 x i32] poison

; CHECK-LABEL: define spir_kernel void @group(
; CHECK: alloca
; CHECK-NOT: work_group_barrier
define spir_kernel void @group() !reqd_work_group_size !0 {
  store i32 1, ptr addrspace(3) @table
  call spir_func void @_Z18work_group_barrierj12memory_scope(i32 2, i32 1)
  ret void
}

; CHECK-LABEL: define spir_kernel void @device(
; CHECK-NEXT: store i32 1, ptr addrspace(3) @table
; CHECK-NEXT: call spir_func void @_Z18work_group_barrierj12memory_scope(i32 2, i32 2)
define spir_kernel void @device() !reqd_work_group_size !0 {
  store i32 1, ptr addrspace(3) @table
  call spir_func void @_Z18work_group_barrierj12memory_scope(i32 2, i32 2)
  ret void
}

; CHECK-LABEL: define spir_kernel void @sub_group(
; CHECK-NEXT: store i32 1, ptr addrspace(3) @table
define spir_kernel void @sub_group() !reqd_work_group_size !0 {
  store i32 1, ptr addrspace(3) @table
  %width = call i32 @__quern_sub_group_width()
  ret void
}

declare spir_func void @_Z18work_group_barrierj12memory_scope(i32, i32)
declare i32 @__quern_sub_group_width()

!0 = !{i32 1, i32 1, i32 1}
