; SPDX-License-Identifier: Apache-2.0
; SPDX-FileCopyrightText: The Quern authors
; A variable that nothing uses but an address which nobody asks for: unoptimized code has such. (The variable was
; deleted with the address, and asked for its size afterwards.)
; RUN: %quernc --passes=work-groups %s | FileCheck %s

; CHECK-LABEL: @kernel(
; CHECK-NOT: %unused
; CHECK: ret void
define void @kernel(ptr addrspace(1) %out,
                    ptr noalias readonly %ndrange, ptr addrspace(3) %local, ptr noalias %scratch, ptr noalias %memory,
                    i64 %id.x, i64 %id.y, i64 %id.z, i64 %size.x, i64 %size.y, i64 %size.z) {
  %variable = alloca [4 x i32]
  %id = call i64 @_Z12get_local_idj(i32 0)
  br label %loop
loop:
  %i = phi i32 [ 0, %0 ], [ %i.next, %loop ]
  %unused = getelementptr i32, ptr %variable, i64 %id
  call void @_Z7barrierj(i32 1)
  %again = getelementptr i32, ptr %unused, i64 1
  %i.next = add i32 %i, 1
  %c = icmp ult i32 %i.next, 5
  br i1 %c, label %loop, label %end
end:
  %p = getelementptr i32, ptr addrspace(1) %out, i64 %id
  store i32 1, ptr addrspace(1) %p
  ret void
}

declare i64 @_Z12get_local_idj(i32) nounwind willreturn memory(none)
declare void @_Z7barrierj(i32) convergent noduplicate
