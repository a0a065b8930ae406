; SPDX-License-Identifier: Apache-2.0
; SPDX-FileCopyrightText: The Quern authors
; A uniform branch that decides on the next barrier, as the condition of a halving loop does: the group takes it once,
; outside of the loops over its work-items. The guard is all that is left in the loop of a step.
; RUN: %quernc --passes=work-groups %s | FileCheck %s

; CHECK-LABEL: @kernel(
; CHECK-NOT: %next_region
; CHECK: %g{{[0-9]*}} = icmp ult i64 %local_id{{[0-9]*}}, %
; CHECK: store i32 %sum{{[0-9]*}}, ptr addrspace(3)
; CHECK-NOT: !llvm.loop
; CHECK: %[[H:h[0-9]*]] = lshr i32 %
; CHECK-NEXT: %[[C:c[0-9]*]] = icmp eq i32 %[[H]], 0
; CHECK-NEXT: br i1 %[[C]], label
; CHECK-NOT: !llvm.loop
; CHECK: declare
define void @kernel(ptr addrspace(3) %tile, i32 %n,
                    ptr noalias readonly %ndrange, ptr addrspace(3) %local, ptr noalias %scratch, ptr noalias %memory,
                    i64 %id.x, i64 %id.y, i64 %id.z, i64 %size.x, i64 %size.y, i64 %size.z) {
entry:
  %id = call i64 @_Z12get_local_idj(i32 0)
  br label %step
step:
  %s = phi i32 [ %n, %entry ], [ %h, %join ]
  call void @_Z7barrierj(i32 1)
  %w = zext i32 %s to i64
  %g = icmp ult i64 %id, %w
  br i1 %g, label %work, label %join
work:
  %p = getelementptr i32, ptr addrspace(3) %tile, i64 %id
  %q = getelementptr i32, ptr addrspace(3) %p, i64 %w
  %a = load i32, ptr addrspace(3) %p
  %b = load i32, ptr addrspace(3) %q
  %sum = add i32 %a, %b
  store i32 %sum, ptr addrspace(3) %p
  br label %join
join:
  %h = lshr i32 %s, 1
  %c = icmp eq i32 %h, 0
  br i1 %c, label %done, label %step
done:
  ret void
}

declare i64 @_Z12get_local_idj(i32) nounwind willreturn memory(none)
declare void @_Z7barrierj(i32) convergent noduplicate
