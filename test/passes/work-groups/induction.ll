; SPDX-License-Identifier: Apache-2.0
; SPDX-FileCopyrightText: The Quern authors
; A pointer of each work-item that a loop around a barrier moves on by the same for all of them: the sum of the steps is
; kept once for the group, and no pointer for any work-item.
; RUN: %quernc --passes=work-groups %s | FileCheck %s

; CHECK-LABEL: @kernel(
; CHECK-NOT: ptr %scratch
; CHECK: %[[FIRST:[0-9]+]] = getelementptr i32, ptr addrspace(1) %in, i64 %local_id{{[0-9]*}}
; CHECK: getelementptr i32, ptr addrspace(1) %[[FIRST]], i64 %p.step
; CHECK-NOT: ptr %scratch
; CHECK: %[[SUM:[0-9]+]] = add i64 %{{.*}}, %step
; CHECK-NOT: ptr %scratch
; CHECK: store i64 %[[SUM]], ptr %slot
; CHECK-NOT: ptr %scratch
; CHECK: %[[RELOAD:reload[0-9]+]] = load i64, ptr %
; CHECK: %[[NEXT:p.step[0-9]+]] = phi i64 [ %[[RELOAD]],
; CHECK: store i64 %[[NEXT]], ptr %
; CHECK: %[[AGAIN:[0-9]+]] = getelementptr i32, ptr addrspace(1) %in, i64 %local_id{{[0-9]*}}
; CHECK: getelementptr i32, ptr addrspace(1) %[[AGAIN]], i64 %[[NEXT]]
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
  %next = getelementptr inbounds i32, ptr addrspace(1) %p, i64 %step
  %i.next = add i32 %i, 1
  %again = icmp ult i32 %i.next, %n
  br i1 %again, label %loop, label %end
end:
  ret void
}

declare i64 @_Z12get_local_idj(i32) nounwind willreturn memory(none)
declare void @_Z7barrierj(i32) convergent noduplicate
