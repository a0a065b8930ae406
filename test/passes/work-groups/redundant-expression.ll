; SPDX-License-Identifier: Apache-2.0
; SPDX-FileCopyrightText: The Quern authors
; A phi of the same two operations in both arms of a branch, each of which has its own, is computed again behind the
; barrier, with the flags that both have.
; RUN: %quernc --passes=work-groups %s | FileCheck %s

; CHECK-LABEL: @kernel(
; CHECK-NOT: ptr %scratch
; CHECK: br i1 {{.*}}, !llvm.loop
; CHECK-NOT: ptr %scratch
; CHECK: %[[HIGH:.*]] = shl i64 %{{.*}}, 32
; CHECK: %[[OFFSET:.*]] = ashr exact i64 %[[HIGH]], 30
; CHECK: %[[P:.*]] = getelementptr i8, ptr addrspace(1) %out, i64 %[[OFFSET]]
; CHECK: store i32 7, ptr addrspace(1) %[[P]]
define void @kernel(ptr addrspace(1) %in, ptr addrspace(1) %out, i32 %n, i64 %step,
                    ptr noalias readonly %ndrange, ptr addrspace(3) %local, ptr noalias %scratch, ptr noalias %memory,
                    i64 %id.x, i64 %id.y, i64 %id.z, i64 %size.x, i64 %size.y, i64 %size.z) {
  %id = call i64 @_Z12get_local_idj(i32 0)
  %narrow = trunc i64 %id to i32
  %c = icmp slt i32 %narrow, %n
  br i1 %c, label %then, label %else
then:
  %x = shl nsw i64 %id, 32
  %x.offset = ashr exact i64 %x, 30
  %p = getelementptr i8, ptr addrspace(1) %in, i64 %x.offset
  store i32 1, ptr addrspace(1) %p
  br label %end
else:
  %y = shl i64 %id, 32
  %y.offset = ashr exact i64 %y, 30
  br label %end
end:
  %offset = phi i64 [ %x.offset, %then ], [ %y.offset, %else ]
  call void @_Z7barrierj(i32 1)
  %q = getelementptr i8, ptr addrspace(1) %out, i64 %offset
  store i32 7, ptr addrspace(1) %q
  ret void
}

declare i64 @_Z12get_local_idj(i32) nounwind willreturn memory(none)
declare void @_Z7barrierj(i32) convergent noduplicate
