; SPDX-License-Identifier: Apache-2.0
; SPDX-FileCopyrightText: The Quern authors
; Constructors run by their priority, in a kernel for one work-item.
; RUN: %quernc --passes=gather-constructors %s | FileCheck %s

; CHECK-NOT: llvm.global_ctors
; CHECK: define spir_kernel void @"(constructors)"() {{.*}}!reqd_work_group_size
; CHECK-NEXT: call spir_func void @first()
; CHECK-NEXT: call spir_func void @second()
@llvm.global_ctors = appending global [2 x { i32, ptr, ptr }] [{ i32, ptr, ptr } { i32 65535, ptr @second, ptr null },
                                                               { i32, ptr, ptr } { i32 100, ptr @first, ptr null }]

define internal void @first() {
  ret void
}

define internal void @second() {
  ret void
}
