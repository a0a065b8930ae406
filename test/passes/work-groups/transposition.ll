; SPDX-License-Identifier: Apache-2.0
; SPDX-FileCopyrightText: The Quern authors
; A transposition that stores along y: from 8 work-items along y on, these are lanes, so that the loads are gathered and
; not the stores scattered.
; RUN: %quernc --passes=work-groups %s | FileCheck %s

; CHECK-LABEL: @kernel(
; CHECK: %[[IS_LONG:.*]] = icmp uge i64 %size.y, 8
; CHECK: br i1 %[[IS_LONG]], label %along_y, label %along_x
define void @kernel(ptr addrspace(1) %in, ptr addrspace(1) %out,
                    ptr noalias readonly %ndrange, ptr addrspace(3) %local, ptr noalias %scratch, ptr noalias %memory,
                    i64 %id.x, i64 %id.y, i64 %id.z, i64 %size.x, i64 %size.y, i64 %size.z) {
  %x = call i64 @_Z13get_global_idj(i32 0)
  %y = call i64 @_Z13get_global_idj(i32 1)
  %row = mul i64 %y, 512
  %row_index = add i64 %row, %x
  %column = mul i64 %x, 512
  %column_index = add i64 %column, %y
  %p = getelementptr i32, ptr addrspace(1) %in, i64 %row_index
  %v = load i32, ptr addrspace(1) %p
  %q = getelementptr i32, ptr addrspace(1) %out, i64 %column_index
  store i32 %v, ptr addrspace(1) %q
  ret void
}

declare i64 @_Z13get_global_idj(i32)
