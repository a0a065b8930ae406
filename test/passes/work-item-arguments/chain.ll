; SPDX-License-Identifier: Apache-2.0
; SPDX-FileCopyrightText: The Quern authors
; What a function and its callees ask for become its last arguments, each once; the kernel asks for them.
; RUN: %quernc --passes=work-item-arguments %s | FileCheck %s

; CHECK-LABEL: define internal spir_func i64 @inner(
; CHECK-SAME: i64 %x, i64 [[ID:%[^,]*]], i32 [[DIM:%[^,)]*]])
; CHECK-NOT: call
; CHECK: add i64 [[ID]], %x
; CHECK: zext i32 [[DIM]]
; CHECK: ret i64
define internal spir_func i64 @inner(i64 %x) {
  %id = call spir_func i64 @_Z13get_global_idj(i32 1)
  %y = add i64 %id, %x
  %again = call spir_func i64 @_Z13get_global_idj(i32 1)
  %dim = call spir_func i32 @_Z12get_work_dimv()
  %wide = zext i32 %dim to i64
  %z = mul i64 %y, %wide
  %sum = add i64 %z, %again
  ret i64 %sum
}

; CHECK-LABEL: define internal spir_func i64 @outer(
; CHECK-SAME: i64 [[ID:%[^,]*]], i32 [[DIM:%[^,]*]], i64 [[SIZE:%[^,)]*]])
; CHECK: call spir_func i64 @inner(i64 [[SIZE]], i64 [[ID]], i32 [[DIM]])
define internal spir_func i64 @outer() noinline {
  %size = call spir_func i64 @_Z14get_local_sizej(i32 2)
  %y = call spir_func i64 @inner(i64 %size)
  ret i64 %y
}

; CHECK-LABEL: define spir_kernel void @kernel(
; CHECK-DAG: [[ID:%[^ ]*]] = call spir_func i64 @_Z13get_global_idj(i32 1)
; CHECK-DAG: [[DIM:%[^ ]*]] = call spir_func i32 @_Z12get_work_dimv()
; CHECK-DAG: [[SIZE:%[^ ]*]] = call spir_func i64 @_Z14get_local_sizej(i32 2)
; CHECK: call spir_func i64 @outer(i64 [[ID]], i32 [[DIM]], i64 [[SIZE]])
define spir_kernel void @kernel(ptr addrspace(1) %out) {
  %y = call spir_func i64 @outer()
  store i64 %y, ptr addrspace(1) %out
  ret void
}

declare spir_func i64 @_Z13get_global_idj(i32)
declare spir_func i64 @_Z14get_local_sizej(i32)
declare spir_func i32 @_Z12get_work_dimv()
