; SPDX-License-Identifier: Apache-2.0
; SPDX-FileCopyrightText: The Quern authors
; Loads of format, size of a pixel, order and type are what is known.
; RUN: %quernc --passes=fold-known-images %s | FileCheck %s

; CHECK-LABEL: @members(
; CHECK: store volatile i32 1023
; CHECK: store volatile i32 4,
; CHECK: store volatile i32 4277,
; CHECK: store volatile i32 4306,
define void @members(ptr addrspace(2) "quern-known-image"="1023 4 4277 4306" %image, ptr %out) {
  %p0 = getelementptr i8, ptr addrspace(2) %image, i64 40
  %p1 = getelementptr i8, ptr addrspace(2) %image, i64 44
  %p2 = getelementptr i8, ptr addrspace(2) %image, i64 48
  %p3 = getelementptr i8, ptr addrspace(2) %image, i64 52
  %format = load i32, ptr addrspace(2) %p0
  %pixel = load i32, ptr addrspace(2) %p1
  %order = load i32, ptr addrspace(2) %p2
  %type = load i32, ptr addrspace(2) %p3
  store volatile i32 %format, ptr %out
  store volatile i32 %pixel, ptr %out
  store volatile i32 %order, ptr %out
  store volatile i32 %type, ptr %out
  ret void
}
