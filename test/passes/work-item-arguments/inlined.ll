; SPDX-License-Identifier: Apache-2.0
; SPDX-FileCopyrightText: The Quern authors
; Functions that need more of the work-group, or ask for a dimension that is not constant, stay as they are, and so do
; their callers. What they call gets arguments.
; RUN: %quernc --passes=work-item-arguments %s | FileCheck %s

; CHECK-LABEL: define internal spir_func i64 @position(
; CHECK-SAME: i64 %
; CHECK-NOT: call
; CHECK: ret i64
define internal spir_func i64 @position() {
  %id = call spir_func i64 @_Z12get_local_idj(i32 0)
  ret i64 %id
}

; CHECK-LABEL: define internal spir_func i64 @waits()
; CHECK: [[ID:%[^ ]*]] = call spir_func i64 @_Z12get_local_idj(i32 0)
; CHECK: call spir_func i64 @position(i64 [[ID]])
define internal spir_func i64 @waits() {
  call spir_func void @_Z7barrierj(i32 1)
  %id = call spir_func i64 @position()
  ret i64 %id
}

; CHECK-LABEL: define internal spir_func i64 @varies(i32 %d)
define internal spir_func i64 @varies(i32 %d) {
  %id = call spir_func i64 @_Z12get_local_idj(i32 %d)
  ret i64 %id
}

; CHECK-LABEL: define internal spir_func i64 @calls()
define internal spir_func i64 @calls() {
  %id = call spir_func i64 @waits()
  %size = call spir_func i64 @_Z14get_local_sizej(i32 0)
  %sum = add i64 %id, %size
  ret i64 %sum
}

; Its address says nothing of what it needs.
; CHECK-LABEL: define internal spir_func i64 @pointed_to()
define internal spir_func i64 @pointed_to() {
  %id = call spir_func i64 @position()
  ret i64 %id
}

; CHECK-LABEL: define spir_kernel void @kernel(
define spir_kernel void @kernel(ptr addrspace(1) %out, i32 %d) {
  %x = call spir_func i64 @calls()
  %y = call spir_func i64 @varies(i32 %d)
  %sum = add i64 %x, %y
  store i64 %sum, ptr addrspace(1) %out
  store ptr @pointed_to, ptr addrspace(1) %out
  ret void
}

declare spir_func i64 @_Z12get_local_idj(i32)
declare spir_func i64 @_Z14get_local_sizej(i32)
declare spir_func void @_Z7barrierj(i32)
