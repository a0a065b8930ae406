; SPDX-License-Identifier: Apache-2.0
; SPDX-FileCopyrightText: The Quern authors
; Work-groups of one work-item along x have lanes along y, though the accesses are contiguous along x.
; RUN: %quernc --passes=work-groups %s | FileCheck %s

; CHECK-LABEL: @kernel(
; CHECK: %[[WIDTH:.*]] = call i64 @llvm.umin.i64(i64 %size.x, i64 1)
; CHECK: %[[HEIGHT:.*]] = call i64 @llvm.umin.i64(i64 %size.y, i64 64)
; CHECK: icmp ult i64 %{{[0-9]+}}, %[[WIDTH]]
; CHECK-NEXT: br i1 {{.*}}, !llvm.loop
; CHECK: icmp ult i64 %{{[0-9]+}}, %[[HEIGHT]]
; CHECK-NEXT: br i1 {{.*}}, !llvm.loop [[ITEM_LOOP:![0-9]+]]
; CHECK-NOT: icmp ult i64 %{{[0-9]+}}, %[[HEIGHT]]
; CHECK: [[ITEM_LOOP]] = distinct !{[[ITEM_LOOP]], [[MARK:![0-9]+]]
; CHECK: [[MARK]] = !{!"quern.item-loop"
define void @kernel(ptr addrspace(1) %out,
                    ptr noalias readonly %ndrange, ptr addrspace(3) %local, ptr noalias %scratch, ptr noalias %memory,
                    i64 %id.x, i64 %id.y, i64 %id.z, i64 %size.x, i64 %size.y, i64 %size.z) !reqd_work_group_size !0 {
  %column = call i64 @_Z13get_global_idj(i32 0)
  %y = call i64 @_Z13get_global_idj(i32 1)
  %line = mul i64 %y, 512
  %index = add i64 %line, %column
  %p = getelementptr i32, ptr addrspace(1) %out, i64 %index
  store i32 1, ptr addrspace(1) %p
  ret void
}

declare i64 @_Z13get_global_idj(i32)

!0 = !{i32 1, i32 64, i32 1}
