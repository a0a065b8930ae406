; SPDX-License-Identifier: Apache-2.0
; SPDX-FileCopyrightText: The Quern authors
; A variable whose address goes to another function or to memory stays as it is.
; RUN: %quernc --passes=drop-private-volatile %s | FileCheck %s

; CHECK-LABEL: @called(
; CHECK: store volatile
define void @called() {
  %variable = alloca i32
  store volatile i32 1, ptr %variable
  call void @use(ptr %variable)
  ret void
}

; CHECK-LABEL: @stored(
; CHECK: store volatile i32 1
; CHECK: store volatile ptr %variable
define void @stored(ptr %where) {
  %variable = alloca i32
  store volatile i32 1, ptr %variable
  store volatile ptr %variable, ptr %where
  ret void
}

declare void @use(ptr)
