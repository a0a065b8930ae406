; SPDX-License-Identifier: Apache-2.0
; SPDX-FileCopyrightText: The Quern authors
; A barrier divides the body into two loops; what lives across it is in the barrier context.
; RUN: %quernc --passes=work-groups %s | FileCheck %s

; CHECK-LABEL: @kernel(
; CHECK-NOT: call void @_Z7barrierj
; CHECK: getelementptr i8, ptr %scratch
; CHECK: br i1 {{.*}}, !llvm.loop
; CHECK: getelementptr i8, ptr %scratch
; CHECK: br i1 {{.*}}, !llvm.loop
; CHECK: %[[X:.*]] = load i32, ptr
; CHECK: store i32 %[[X]], ptr addrspace(1)
define void @kernel(ptr addrspace(1) %in, ptr addrspace(1) %out,
                    ptr noalias readonly %ndrange, ptr addrspace(3) %local, ptr noalias %scratch, ptr noalias %memory,
                    i64 %id.x, i64 %id.y, i64 %id.z, i64 %size.x, i64 %size.y, i64 %size.z) {
  %id = call i64 @_Z12get_local_idj(i32 0)
  %p = getelementptr i32, ptr addrspace(1) %in, i64 %id
  %x = load i32, ptr addrspace(1) %p
  call void @_Z7barrierj(i32 1)
  %q = getelementptr i32, ptr addrspace(1) %out, i64 %id
  store i32 %x, ptr addrspace(1) %q
  ret void
}

declare i64 @_Z12get_local_idj(i32)
declare void @_Z7barrierj(i32) convergent noduplicate
