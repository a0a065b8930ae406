; SPDX-License-Identifier: Apache-2.0
; SPDX-FileCopyrightText: The Quern authors
; Local variables become offsets, divisions defined.
; RUN: %quernc --passes=prepare %s | FileCheck %s

; CHECK-LABEL: define void @kernel(
; CHECK-SAME: ptr addrspace(3) noundef %[[LOCAL:[0-9]+]]
; CHECK: %{{.*}} = getelementptr inbounds i8, ptr addrspace(3) %[[LOCAL]], i64 0
; CHECK: call i32 @llvm.umax.i32(i32 %n, i32 1)
@table = internal addrspace(3) global [16 x i32] poison

define spir_kernel void @kernel(i32 %n) {
  %x = load i32, ptr addrspace(3) @table
  %q = udiv i32 %x, %n
  store i32 %q, ptr addrspace(3) @table
  ret void
}
