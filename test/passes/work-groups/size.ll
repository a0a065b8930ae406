; SPDX-License-Identifier: Apache-2.0
; SPDX-FileCopyrightText: The Quern authors
; A required size is a constant, and y and z have loops of their own where they are asked for.
; RUN: %quernc --passes=work-groups %s | FileCheck %s

; CHECK-LABEL: @kernel(
; CHECK: mul nuw nsw i64 %id.x, 64
; CHECK-COUNT-3: phi i64
define void @kernel(ptr addrspace(1) %out,
                    ptr noalias readonly %ndrange, ptr addrspace(3) %local, ptr noalias %scratch, ptr noalias %memory,
                    i64 %id.x, i64 %id.y, i64 %id.z, i64 %size.x, i64 %size.y, i64 %size.z) !reqd_work_group_size !0 {
  %x = call i64 @_Z13get_global_idj(i32 0)
  %y = call i64 @_Z13get_global_idj(i32 1)
  %p = getelementptr i64, ptr addrspace(1) %out, i64 %x
  store i64 %y, ptr addrspace(1) %p
  ret void
}

declare i64 @_Z13get_global_idj(i32)

!0 = !{i32 64, i32 2, i32 1}
