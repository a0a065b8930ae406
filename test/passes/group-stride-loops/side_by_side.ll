; SPDX-License-Identifier: Apache-2.0
; SPDX-FileCopyrightText: The Quern authors
; Work-items that run through memory side by side wait for each other in each turn.
; RUN: %quernc --passes=group-stride-loops %s | FileCheck %s

; CHECK-LABEL: @side_by_side(
; CHECK: call void @_Z7barrierj(
define void @side_by_side(ptr addrspace(1) %in, ptr addrspace(1) %out, i64 %count) {
entry:
  %id = call i64 @_Z12get_local_idj(i32 0)
  %size = call i64 @_Z14get_local_sizej(i32 0)
  %any = icmp ult i64 %id, %count
  br i1 %any, label %loop, label %exit
loop:
  %i = phi i64 [ %id, %entry ], [ %i.next, %loop ]
  %sum = phi i32 [ 0, %entry ], [ %sum.next, %loop ]
  %p = getelementptr inbounds i32, ptr addrspace(1) %in, i64 %i
  %x = load i32, ptr addrspace(1) %p
  %sum.next = add i32 %sum, %x
  %i.next = add i64 %i, %size
  %more = icmp ult i64 %i.next, %count
  br i1 %more, label %loop, label %exit
exit:
  %result = phi i32 [ 0, %entry ], [ %sum.next, %loop ]
  %q = getelementptr inbounds i32, ptr addrspace(1) %out, i64 %id
  store i32 %result, ptr addrspace(1) %q
  ret void
}

declare i64 @_Z12get_local_idj(i32) memory(none) speculatable willreturn nounwind
declare i64 @_Z14get_local_sizej(i32) memory(none) speculatable willreturn nounwind
