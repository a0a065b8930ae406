; SPDX-License-Identifier: Apache-2.0
; SPDX-FileCopyrightText: The Quern authors
; An expression over a local variable becomes an instruction.
; RUN: %quernc --passes=expand-local-variable-uses %s | FileCheck %s

; CHECK-LABEL: @f(
; CHECK: %[[P:[0-9a-z.]+]] = getelementptr {{.*}}ptr addrspace(3) @a, {{.*}}8
; CHECK: store i32 1, ptr addrspace(3) %[[P]]
@a = internal addrspace(3) global [4 x i32] poison

define void @f() {
  store i32 1, ptr addrspace(3) getelementptr (i8, ptr addrspace(3) @a, i64 8)
  ret void
}
