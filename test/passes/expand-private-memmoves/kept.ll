; SPDX-License-Identifier: Apache-2.0
; SPDX-FileCopyrightText: The Quern authors
; Volatile copies, those of unknown length and those between two variables stay.
; RUN: %quernc --passes=expand-private-memmoves %s | FileCheck %s

; CHECK-LABEL: @volatile(
; CHECK: call void @llvm.memmove
define void @volatile() {
  %a = alloca [4 x i32]
  %second = getelementptr i8, ptr %a, i64 4
  call void @llvm.memmove.p0.p0.i64(ptr %a, ptr %second, i64 12, i1 true)
  ret void
}

; CHECK-LABEL: @unknown_length(
; CHECK: call void @llvm.memmove
define void @unknown_length(i64 %length) {
  %a = alloca [4 x i32]
  %second = getelementptr i8, ptr %a, i64 4
  call void @llvm.memmove.p0.p0.i64(ptr %a, ptr %second, i64 %length, i1 false)
  ret void
}

; CHECK-LABEL: @two_variables(
; CHECK: call void @llvm.memmove
define void @two_variables() {
  %a = alloca [4 x i32]
  %b = alloca [4 x i32]
  call void @llvm.memmove.p0.p0.i64(ptr %a, ptr %b, i64 16, i1 false)
  ret void
}
