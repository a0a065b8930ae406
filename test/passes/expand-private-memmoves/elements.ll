; SPDX-License-Identifier: Apache-2.0
; SPDX-FileCopyrightText: The Quern authors
; Places that cut elements apart, or where they are not alike, are not taken for elements.
; RUN: %quernc --passes=expand-private-memmoves %s | FileCheck %s

; CHECK-LABEL: @cut(
; CHECK: call void @llvm.memmove
define void @cut() {
  %a = alloca [4 x i32]
  %inside = getelementptr i8, ptr %a, i64 2
  call void @llvm.memmove.p0.p0.i64(ptr %a, ptr %inside, i64 12, i1 false)
  ret void
}

; CHECK-LABEL: @too_many(
; CHECK: call void @llvm.memmove
define void @too_many() {
  %a = alloca [100 x i32]
  %second = getelementptr i8, ptr %a, i64 4
  call void @llvm.memmove.p0.p0.i64(ptr %a, ptr %second, i64 396, i1 false)
  ret void
}
