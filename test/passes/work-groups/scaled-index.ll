; SPDX-License-Identifier: Apache-2.0
; SPDX-FileCopyrightText: The Quern authors
; An `int` index of `float4`, as InstCombine extends and scales it: contiguous along y.
; RUN: %quernc --passes=work-groups %s | FileCheck %s

; CHECK-LABEL: @kernel(
; CHECK: %[[IS_LONG:.*]] = icmp uge i64 %size.y, 8
; CHECK: br i1 %[[IS_LONG]], label %along_y, label %along_x
define void @kernel(ptr addrspace(1) %out, i32 %width,
                    ptr noalias readonly %ndrange, ptr addrspace(3) %local, ptr noalias %scratch, ptr noalias %memory,
                    i64 %id.x, i64 %id.y, i64 %id.z, i64 %size.x, i64 %size.y, i64 %size.z) {
  %x = call i64 @_Z13get_global_idj(i32 0)
  %y = call i64 @_Z13get_global_idj(i32 1)
  %wide = sext i32 %width to i64
  %line = mul i64 %x, %wide
  %index = add i64 %line, %y
  %shifted = shl i64 %index, 32
  %offset = ashr exact i64 %shifted, 28
  %p = getelementptr i8, ptr addrspace(1) %out, i64 %offset
  store <4 x float> zeroinitializer, ptr addrspace(1) %p
  ret void
}

declare i64 @_Z13get_global_idj(i32)
