; SPDX-License-Identifier: Apache-2.0
; SPDX-FileCopyrightText: The Quern authors
; An index that more than eight affine operations compute from ids is computed again behind the barrier: reloaded, it
; would be gathered from. One of as many other operations is kept.
; RUN: %quernc --passes=work-groups %s | FileCheck %s

declare i64 @_Z12get_local_idj(i32) nounwind willreturn memory(none)
declare i64 @_Z12get_group_idj(i32) nounwind willreturn memory(none)
declare void @_Z7barrierj(i32) convergent noduplicate

; CHECK-LABEL: @affine(
; CHECK-NOT: ptr %scratch
; CHECK: store i32 7
; CHECK-LABEL: @other(
; CHECK: ptr %scratch
; CHECK: store i32 7
define void @affine(ptr addrspace(1) %in, ptr addrspace(1) %out, i32 %n, i64 %step,
                    ptr noalias readonly %ndrange, ptr addrspace(3) %local, ptr noalias %scratch, ptr noalias %memory,
                    i64 %id.x, i64 %id.y, i64 %id.z, i64 %size.x, i64 %size.y, i64 %size.z) {
  %x = call i64 @_Z12get_local_idj(i32 0)
  %y = call i64 @_Z12get_local_idj(i32 1)
  %group = call i64 @_Z12get_group_idj(i32 1)
  %x32 = trunc i64 %x to i32
  %y32 = trunc i64 %y to i32
  %group32 = trunc i64 %group to i32
  %first = shl i32 %group32, 4
  %row = add i32 %first, %y32
  %start = mul i32 %row, %n
  %index = add i32 %start, %x32
  %next = add i32 %index, 1
  %last = add i32 %next, %n
  %wide = sext i32 %last to i64
  %p = getelementptr i32, ptr addrspace(1) %in, i64 %wide
  store i32 1, ptr addrspace(1) %p
  call void @_Z7barrierj(i32 1)
  %q = getelementptr i32, ptr addrspace(1) %out, i64 %wide
  store i32 7, ptr addrspace(1) %q
  ret void
}

define void @other(ptr addrspace(1) %in, ptr addrspace(1) %out, i32 %n, i64 %step,
                   ptr noalias readonly %ndrange, ptr addrspace(3) %local, ptr noalias %scratch, ptr noalias %memory,
                   i64 %id.x, i64 %id.y, i64 %id.z, i64 %size.x, i64 %size.y, i64 %size.z) {
  %x = call i64 @_Z12get_local_idj(i32 0)
  %a = xor i64 %x, %step
  %b = lshr i64 %a, 3
  %c = xor i64 %b, %a
  %d = lshr i64 %c, 5
  %e = xor i64 %d, %b
  %f = lshr i64 %e, 7
  %g = xor i64 %f, %c
  %h = lshr i64 %g, 9
  %i = xor i64 %h, %d
  %p = getelementptr i32, ptr addrspace(1) %in, i64 %i
  store i32 1, ptr addrspace(1) %p
  call void @_Z7barrierj(i32 1)
  %q = getelementptr i32, ptr addrspace(1) %out, i64 %i
  store i32 7, ptr addrspace(1) %q
  ret void
}
