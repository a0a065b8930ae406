; SPDX-License-Identifier: Apache-2.0
; SPDX-FileCopyrightText: The Quern authors
; Private memory whose size is found at run time has no place across a barrier: refused.
; RUN: not %quernc --passes=work-groups %s 2>&1 | FileCheck %s

; CHECK: error: kernel 'kernel' uses a dynamic alloca
define void @kernel(i32 %n, ptr addrspace(1) %out,
                    ptr noalias readonly %ndrange, ptr addrspace(3) %local, ptr noalias %scratch, ptr noalias %memory,
                    i64 %id.x, i64 %id.y, i64 %id.z, i64 %size.x, i64 %size.y, i64 %size.z) {
  %a = alloca i32, i32 %n
  store volatile i32 1, ptr %a
  call void @_Z7barrierj(i32 1)
  %x = load volatile i32, ptr %a
  store i32 %x, ptr addrspace(1) %out
  ret void
}

declare void @_Z7barrierj(i32) convergent noduplicate
