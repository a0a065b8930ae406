; SPDX-License-Identifier: Apache-2.0
; SPDX-FileCopyrightText: The Quern authors
; What it shares it has from itself; an exclusive scan begins with what changes nothing.
; RUN: %quernc --passes=single-sub-groups %s | FileCheck %s

; CHECK-LABEL: @values(
; CHECK: store volatile i32 %x, ptr %out
; CHECK: store volatile i32 2147483647, ptr %out
; CHECK-NOT: call
; CHECK: ret
define void @values(i32 %x, ptr %out) {
  %sum = call i32 @_Z28__quern_sub_group_reduce_addi(i32 %x)
  %least = call i32 @_Z37__quern_sub_group_scan_exclusive_smini(i32 %x)
  call void @__quern_sub_group_barrier()
  store volatile i32 %sum, ptr %out
  store volatile i32 %least, ptr %out
  ret void
}

declare i32 @_Z28__quern_sub_group_reduce_addi(i32)
declare i32 @_Z37__quern_sub_group_scan_exclusive_smini(i32)
declare void @__quern_sub_group_barrier()
