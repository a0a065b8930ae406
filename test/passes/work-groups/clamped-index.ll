; SPDX-License-Identifier: Apache-2.0
; SPDX-FileCopyrightText: The Quern authors
; The address of a neighbour, with its index kept in bounds, is computed again behind a barrier: nothing is kept.
; RUN: %quernc --passes=work-groups %s | FileCheck %s

; CHECK-LABEL: @kernel(
; CHECK-NOT: ptr %scratch
; CHECK: call i32 @llvm.smax.i32
; CHECK-NOT: ptr %scratch
; CHECK: br i1 {{.*}}, !llvm.loop
; CHECK-NOT: ptr %scratch
; CHECK: call i32 @llvm.smax.i32
; CHECK-NOT: ptr %scratch
; CHECK: load i32, ptr addrspace(1)
define void @kernel(ptr addrspace(1) %in, ptr addrspace(1) %out, i32 %n, i64 %step,
                    ptr noalias readonly %ndrange, ptr addrspace(3) %local, ptr noalias %scratch, ptr noalias %memory,
                    i64 %id.x, i64 %id.y, i64 %id.z, i64 %size.x, i64 %size.y, i64 %size.z) {
  %id = call i64 @_Z12get_local_idj(i32 0)
  %narrow = trunc i64 %id to i32
  %left = sub i32 %narrow, 1
  %clamped = call i32 @llvm.smax.i32(i32 %left, i32 %n)
  %wide = sext i32 %clamped to i64
  %p = getelementptr i32, ptr addrspace(1) %in, i64 %wide
  store i32 1, ptr addrspace(1) %p
  call void @_Z7barrierj(i32 1)
  %x = load i32, ptr addrspace(1) %p
  store i32 %x, ptr addrspace(1) %out
  ret void
}

declare i64 @_Z12get_local_idj(i32) nounwind willreturn memory(none)
declare void @_Z7barrierj(i32) convergent noduplicate
declare i32 @llvm.smax.i32(i32, i32)
