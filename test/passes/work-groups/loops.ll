; SPDX-License-Identifier: Apache-2.0
; SPDX-FileCopyrightText: The Quern authors
; Loops over the work-items around the body, the innermost along x.
; RUN: %quernc --passes=work-groups %s | FileCheck %s

; CHECK-LABEL: @kernel(
; CHECK: %{{.*}} = mul nuw nsw i64 %size.y, %size.z
; CHECK: %local_id = phi i64
; CHECK: %local_id{{[0-9]+}} = phi i64
; CHECK-NOT: get_global_id
; CHECK: icmp ult i64 %{{[0-9]+}}, %size.x
; CHECK: !llvm.loop
; CHECK: quern.item-loop
define void @kernel(ptr addrspace(1) %out,
                    ptr noalias readonly %ndrange, ptr addrspace(3) %local, ptr noalias %scratch, ptr noalias %memory,
                    i64 %id.x, i64 %id.y, i64 %id.z, i64 %size.x, i64 %size.y, i64 %size.z) {
  %id = call i64 @_Z13get_global_idj(i32 0)
  %p = getelementptr i32, ptr addrspace(1) %out, i64 %id
  store i32 1, ptr addrspace(1) %p
  ret void
}

declare i64 @_Z13get_global_idj(i32)
