; SPDX-License-Identifier: Apache-2.0
; SPDX-FileCopyrightText: The Quern authors
; An array that is moved on becomes registers.
; RUN: %quernc --passes=optimize-scalar %s | FileCheck %s

; CHECK-LABEL: @kernel(
; CHECK-NOT: alloca
; CHECK: store i32 %x, ptr %out
define void @kernel(i32 %x, ptr %out) {
  %a = alloca [2 x i32]
  %second = getelementptr i8, ptr %a, i64 4
  store i32 %x, ptr %second
  call void @llvm.memmove.p0.p0.i64(ptr %a, ptr %second, i64 4, i1 false)
  %y = load i32, ptr %a
  store i32 %y, ptr %out
  ret void
}
