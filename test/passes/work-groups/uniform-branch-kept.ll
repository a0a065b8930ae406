; SPDX-License-Identifier: Apache-2.0
; SPDX-FileCopyrightText: The Quern authors
; A uniform branch that decides on the next barrier stays in the loop over the work-items where each of them would have
; to keep a value otherwise: %x is used on both sides of the branch, and behind no barrier.
; RUN: %quernc --passes=work-groups %s | FileCheck %s

; CHECK-LABEL: @kernel(
; CHECK: %next_region = alloca
; CHECK-NOT: %scratch, i64
; CHECK: ret void
define void @kernel(ptr addrspace(1) %in, ptr addrspace(3) %tile, i32 %n,
                    ptr noalias readonly %ndrange, ptr addrspace(3) %local, ptr noalias %scratch, ptr noalias %memory,
                    i64 %id.x, i64 %id.y, i64 %id.z, i64 %size.x, i64 %size.y, i64 %size.z) {
entry:
  %id = call i64 @_Z12get_local_idj(i32 0)
  %i = getelementptr i32, ptr addrspace(1) %in, i64 %id
  %x = load i32, ptr addrspace(1) %i
  %p = getelementptr i32, ptr addrspace(3) %tile, i64 %id
  %g = icmp ugt i32 %x, 5
  br i1 %g, label %work, label %join
work:
  store i32 3, ptr addrspace(3) %p
  br label %join
join:
  %c = icmp eq i32 %n, 0
  br i1 %c, label %done, label %more
more:
  store i32 %x, ptr addrspace(3) %p
  call void @_Z7barrierj(i32 1)
  br label %done
done:
  ret void
}

declare i64 @_Z12get_local_idj(i32) nounwind willreturn memory(none)
declare void @_Z7barrierj(i32) convergent noduplicate
