; SPDX-License-Identifier: Apache-2.0
; SPDX-FileCopyrightText: The Quern authors
; An array that is moved on by one element: all loads, then all stores.
; RUN: %quernc --passes=expand-private-memmoves %s | FileCheck %s

; CHECK-LABEL: @shifted(
; CHECK-COUNT-3: load i32
; CHECK-NOT: load
; CHECK-COUNT-3: store i32
; CHECK-NOT: llvm.memmove
; CHECK: ret
define void @shifted() {
  %a = alloca [4 x i32]
  %second = getelementptr i8, ptr %a, i64 4
  call void @llvm.memmove.p0.p0.i64(ptr %a, ptr %second, i64 12, i1 false)
  ret void
}
