; SPDX-License-Identifier: Apache-2.0
; SPDX-FileCopyrightText: The Quern authors
; Of an address whose index was loaded, the index is kept, which is smaller, and the address is computed again.
; RUN: %quernc --passes=work-groups %s | FileCheck %s

; CHECK-LABEL: @kernel(
; CHECK: store i32 %index{{[0-9]*}}, ptr %
; CHECK-NOT: store ptr
; CHECK: br i1 {{.*}}, !llvm.loop
; CHECK: %[[I:.*]] = load i32, ptr %
; CHECK: %[[WIDE:.*]] = sext i32 %[[I]] to i64
; CHECK: %[[P:.*]] = getelementptr i32, ptr addrspace(1) %out, i64 %[[WIDE]]
; CHECK: store i32 7, ptr addrspace(1) %[[P]]
define void @kernel(ptr addrspace(1) %in, ptr addrspace(1) %out, i32 %n, i64 %step,
                    ptr noalias readonly %ndrange, ptr addrspace(3) %local, ptr noalias %scratch, ptr noalias %memory,
                    i64 %id.x, i64 %id.y, i64 %id.z, i64 %size.x, i64 %size.y, i64 %size.z) {
  %id = call i64 @_Z12get_local_idj(i32 0)
  %p = getelementptr i32, ptr addrspace(1) %in, i64 %id
  %index = load i32, ptr addrspace(1) %p
  %wide = sext i32 %index to i64
  %q = getelementptr i32, ptr addrspace(1) %out, i64 %wide
  store i32 1, ptr addrspace(1) %q
  call void @_Z7barrierj(i32 1)
  store i32 7, ptr addrspace(1) %q
  ret void
}

declare i64 @_Z12get_local_idj(i32) nounwind willreturn memory(none)
declare void @_Z7barrierj(i32) convergent noduplicate
