; SPDX-License-Identifier: Apache-2.0
; SPDX-FileCopyrightText: The Quern authors
; Expressions over other variables stay.
; RUN: %quernc --passes=expand-local-variable-uses %s | FileCheck %s

; CHECK-LABEL: @f(
; CHECK-NEXT: store i32 1, ptr addrspace(1) getelementptr
@g = internal addrspace(1) global [4 x i32] zeroinitializer

define void @f() {
  store i32 1, ptr addrspace(1) getelementptr (i8, ptr addrspace(1) @g, i64 8)
  ret void
}
