; SPDX-License-Identifier: Apache-2.0
; SPDX-FileCopyrightText: The Quern authors
; No loop runs more often than the required size says; the last work-group of an ND-range may be smaller.
; RUN: %quernc --passes=work-groups %s | FileCheck %s

; CHECK-LABEL: @kernel(
; CHECK: %[[COUNT:.*]] = call i64 @llvm.umin.i64(i64 %size.x, i64 8)
; CHECK: icmp ult i64 %{{[0-9]+}}, %[[COUNT]]
; CHECK: quern.item-loop
define void @kernel(ptr addrspace(1) %out,
                    ptr noalias readonly %ndrange, ptr addrspace(3) %local, ptr noalias %scratch, ptr noalias %memory,
                    i64 %id.x, i64 %id.y, i64 %id.z, i64 %size.x, i64 %size.y, i64 %size.z) !reqd_work_group_size !0 {
  %id = call i64 @_Z13get_global_idj(i32 0)
  %p = getelementptr i32, ptr addrspace(1) %out, i64 %id
  store i32 1, ptr addrspace(1) %p
  ret void
}

declare i64 @_Z13get_global_idj(i32)

!0 = !{i32 8, i32 1, i32 1}
