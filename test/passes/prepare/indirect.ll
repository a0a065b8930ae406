; SPDX-License-Identifier: Apache-2.0
; SPDX-FileCopyrightText: The Quern authors
; A call through a pointer compares it with the functions that need the work-group, have their address taken and fit:
; those are inlined, what is left of them is a trap. Others are called through the pointer.
; RUN: %quernc --passes=prepare %s | FileCheck %s

@table = internal addrspace(1) global [3 x ptr] [ptr @place, ptr @plain, ptr @other_place]

; CHECK-LABEL: define internal i64 @place(
; CHECK-NEXT: call void @llvm.trap()
; CHECK-NEXT: unreachable
define internal spir_func i64 @place(i64 %x) {
  %id = call spir_func i64 @_Z13get_global_idj(i32 0)
  %y = add i64 %id, %x
  ret i64 %y
}

; CHECK-LABEL: define internal i64 @plain(
; CHECK-NEXT: mul i64
define internal spir_func i64 @plain(i64 %x) {
  %y = mul i64 %x, 3
  ret i64 %y
}

define internal spir_func i64 @other_place(i32 %x) {
  %id = call spir_func i64 @_Z13get_global_idj(i32 %x)
  ret i64 %id
}

; CHECK-LABEL: define void @kernel(
; CHECK: %[[F:.*]] = load ptr
; CHECK-NOT: icmp eq ptr %[[F]], @plain
; CHECK: %[[IS:.*]] = icmp eq ptr %[[F]], @place
; CHECK-NOT: icmp eq ptr %[[F]]
; CHECK: br i1 %[[IS]]
; CHECK: call i64 @_Z13get_global_idj(i32 0)
; CHECK: call i64 %[[F]](i64
define spir_kernel void @kernel(ptr addrspace(1) %out, i64 %i) {
  %address = getelementptr [3 x ptr], ptr addrspace(1) @table, i64 0, i64 %i
  %f = load ptr, ptr addrspace(1) %address
  %x = call spir_func i64 %f(i64 %i)
  store i64 %x, ptr addrspace(1) %out
  ret void
}

declare spir_func i64 @_Z13get_global_idj(i32)
