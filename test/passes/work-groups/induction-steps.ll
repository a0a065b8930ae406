; SPDX-License-Identifier: Apache-2.0
; SPDX-FileCopyrightText: The Quern authors
; A pointer that an iteration moves on several times, by elements and by bytes: the sum of all steps, in bytes, is kept
; once for the group.
; RUN: %quernc --passes=work-groups %s | FileCheck %s

; CHECK-LABEL: @kernel(
; CHECK-NOT: ptr %scratch
; CHECK: %[[LAST:[0-9]+]] = mul i64 %step, 4
; CHECK: %[[TWO:[0-9]+]] = add i64 12, %[[LAST]]
; CHECK: %[[FIRST:[0-9]+]] = mul i64 %step, 4
; CHECK: %[[ALL:[0-9]+]] = add i64 %[[TWO]], %[[FIRST]]
; CHECK: %[[SUM:[0-9]+]] = add i64 %{{.*}}, %[[ALL]]
; CHECK: phi i64 [ %[[SUM]],
; CHECK-NOT: ptr %scratch
define void @kernel(ptr addrspace(1) %in, ptr addrspace(1) %out, i32 %n, i64 %step,
                    ptr noalias readonly %ndrange, ptr addrspace(3) %local, ptr noalias %scratch, ptr noalias %memory,
                    i64 %id.x, i64 %id.y, i64 %id.z, i64 %size.x, i64 %size.y, i64 %size.z) {
  %id = call i64 @_Z12get_local_idj(i32 0)
  %first = getelementptr i32, ptr addrspace(1) %in, i64 %id
  br label %loop
loop:
  %p = phi ptr addrspace(1) [ %first, %0 ], [ %next, %loop ]
  %i = phi i32 [ 0, %0 ], [ %i.next, %loop ]
  store i32 7, ptr addrspace(1) %p
  call void @_Z7barrierj(i32 1)
  %middle = getelementptr inbounds i32, ptr addrspace(1) %p, i64 %step
  store i32 8, ptr addrspace(1) %middle
  %more = getelementptr inbounds i32, ptr addrspace(1) %middle, i64 %step
  %next = getelementptr inbounds i8, ptr addrspace(1) %more, i64 12
  %i.next = add i32 %i, 1
  %again = icmp ult i32 %i.next, %n
  br i1 %again, label %loop, label %end
end:
  ret void
}

declare i64 @_Z12get_local_idj(i32) nounwind willreturn memory(none)
declare void @_Z7barrierj(i32) convergent noduplicate
