; SPDX-License-Identifier: Apache-2.0
; SPDX-FileCopyrightText: The Quern authors
; The place in the group is known, and that of the group follows from the global id.
; RUN: %quernc --passes=make-local-memory-private %s | FileCheck %s

; CHECK-LABEL: define spir_kernel void @single(
; CHECK: %[[ID:.*]] = call spir_func i64 @_Z13get_global_idj(i32 %d)
; CHECK: %[[OFFSET:.*]] = call spir_func i64 @_Z17get_global_offsetj(i32 %d)
; CHECK: %[[GROUP:.*]] = sub i64 %[[ID]], %[[OFFSET]]
; CHECK: %[[COUNT:.*]] = call spir_func i64 @_Z15get_global_sizej(i32 0)
; CHECK: store i64 0, ptr addrspace(1) %out
; CHECK: store i64 1, ptr addrspace(1) %out
; CHECK: store i64 %[[GROUP]], ptr addrspace(1) %out
; CHECK: store i64 %[[COUNT]], ptr addrspace(1) %out
define spir_kernel void @single(ptr addrspace(1) %out, i32 %d) !reqd_work_group_size !0 {
  %item = call spir_func i64 @_Z12get_local_idj(i32 0)
  %size = call spir_func i64 @_Z14get_local_sizej(i32 %d)
  %group = call spir_func i64 @_Z12get_group_idj(i32 %d)
  %count = call spir_func i64 @_Z14get_num_groupsj(i32 0)
  store i64 %item, ptr addrspace(1) %out
  store i64 %size, ptr addrspace(1) %out
  store i64 %group, ptr addrspace(1) %out
  store i64 %count, ptr addrspace(1) %out
  ret void
}

; What collectives leave for other work-items is memory of this one.
; CHECK-LABEL: define spir_kernel void @collective(
; CHECK-NEXT: %[[MEMORY:.*]] = alloca [16 x i8], align 16
; CHECK-NEXT: store i64 7, ptr %[[MEMORY]]
; CHECK-NEXT: load i64, ptr %[[MEMORY]]
define spir_kernel void @collective() !reqd_work_group_size !0 {
  %memory = call spir_func ptr @__quern_collective_memory()
  store i64 7, ptr %memory
  %again = call spir_func ptr @__quern_collective_memory()
  %x = load i64, ptr %again
  ret void
}

declare spir_func i64 @_Z12get_local_idj(i32)
declare spir_func i64 @_Z14get_local_sizej(i32)
declare spir_func i64 @_Z12get_group_idj(i32)
declare spir_func i64 @_Z14get_num_groupsj(i32)
declare spir_func ptr @__quern_collective_memory()

!0 = !{i32 1, i32 1, i32 1}
