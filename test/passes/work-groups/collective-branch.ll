; SPDX-License-Identifier: Apache-2.0
; SPDX-FileCopyrightText: The Quern authors
; A branch on an id that decides between barriers is one that all work-items of a group take the same way. What
; is uniform behind it is kept once for the group.
; RUN: %quernc --passes=work-groups %s | FileCheck %s

; CHECK-LABEL: @kernel(
; CHECK-NOT: ptr %scratch
; CHECK: %x{{[0-9]*}} = load i32, ptr addrspace(1) %in
; CHECK-NOT: ptr %scratch
; CHECK: declare
define void @kernel(ptr addrspace(1) %in, ptr addrspace(1) %out, i32 %n, i64 %step,
                    ptr noalias readonly %ndrange, ptr addrspace(3) %local, ptr noalias %scratch, ptr noalias %memory,
                    i64 %id.x, i64 %id.y, i64 %id.z, i64 %size.x, i64 %size.y, i64 %size.z) {
  %id = call i64 @_Z12get_local_idj(i32 0)
  %narrow = trunc i64 %id to i32
  %c = icmp slt i32 %narrow, %n
  br i1 %c, label %work, label %other
work:
  %x = load i32, ptr addrspace(1) %in
  call void @_Z7barrierj(i32 1)
  br label %join
other:
  call void @_Z7barrierj(i32 1)
  br label %join
join:
  %v = phi i32 [ %x, %work ], [ 1, %other ]
  call void @_Z7barrierj(i32 1)
  %q = getelementptr i32, ptr addrspace(1) %out, i64 %id
  store i32 %v, ptr addrspace(1) %q
  ret void
}

declare i64 @_Z12get_local_idj(i32) nounwind willreturn memory(none)
declare void @_Z7barrierj(i32) convergent noduplicate
