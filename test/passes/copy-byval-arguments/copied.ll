; SPDX-License-Identifier: Apache-2.0
; SPDX-FileCopyrightText: The Quern authors
; A function that is only called makes the copy itself.
; RUN: %quernc --passes=copy-byval-arguments %s | FileCheck %s

; CHECK-LABEL: define internal void @f(
; CHECK-SAME: ptr readonly %s)
; CHECK: %[[COPY:[0-9]+]] = alloca { i32, i32 }, align 4
; CHECK: call void @llvm.memcpy{{.*}}(ptr align 4 %[[COPY]], ptr align 4 %s, i64 8, i1 false)
; CHECK: store i32 1, ptr %[[COPY]]
; CHECK-LABEL: @caller(
; CHECK: call void @f(ptr %s)
define internal void @f(ptr byval({ i32, i32 }) %s) {
  store i32 1, ptr %s
  ret void
}

define void @caller(ptr %s) {
  call void @f(ptr byval({ i32, i32 }) %s)
  ret void
}
