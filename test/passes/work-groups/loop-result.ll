; SPDX-License-Identifier: Apache-2.0
; SPDX-FileCopyrightText: The Quern authors
; The result of a loop that runs at least once is stored behind the loop for what follows the barrier, and not in each
; iteration.
; RUN: %quernc --passes=work-groups %s | FileCheck %s

declare i64 @_Z12get_local_idj(i32) nounwind willreturn memory(none)
declare void @_Z7barrierj(i32) convergent noduplicate

; CHECK-LABEL: @sum(
; CHECK: %next.sum{{.*}} = fadd float
; CHECK-NOT: store float
; CHECK: br i1 %more
; CHECK: phi float [ %next.sum
; CHECK: store float
define void @sum(ptr addrspace(1) %in, ptr addrspace(1) %out, i64 %count,
                 ptr noalias readonly %ndrange, ptr addrspace(3) %local, ptr noalias %scratch, ptr noalias %memory,
                 i64 %id.x, i64 %id.y, i64 %id.z, i64 %size.x, i64 %size.y, i64 %size.z) {
  %x = call i64 @_Z12get_local_idj(i32 0)
  %first = getelementptr float, ptr addrspace(1) %in, i64 %x
  br label %loop
loop:
  %k = phi i64 [ 0, %0 ], [ %next.k, %loop ]
  %sum = phi float [ 0.0, %0 ], [ %next.sum, %loop ]
  %p = getelementptr float, ptr addrspace(1) %first, i64 %k
  %value = load float, ptr addrspace(1) %p
  %next.sum = fadd float %sum, %value
  %next.k = add i64 %k, 1
  %more = icmp ult i64 %next.k, %count
  br i1 %more, label %loop, label %end
end:
  call void @_Z7barrierj(i32 1)
  %q = getelementptr float, ptr addrspace(1) %out, i64 %x
  store float %next.sum, ptr addrspace(1) %q
  ret void
}
