; SPDX-License-Identifier: Apache-2.0
; SPDX-FileCopyrightText: The Quern authors
; What hangs on the image, or is of another image, is loaded.
; RUN: %quernc --passes=fold-known-images %s | FileCheck %s

; CHECK-LABEL: @width(
; CHECK: ret i32 %width
define i32 @width(ptr addrspace(2) "quern-known-image"="1023 4 4277 4306" %image) {
  %p = getelementptr i8, ptr addrspace(2) %image, i64 24
  %width = load i32, ptr addrspace(2) %p
  ret i32 %width
}

; CHECK-LABEL: @other_image(
; CHECK: ret i32 %format
define i32 @other_image(ptr addrspace(2) "quern-image" %image) {
  %p = getelementptr i8, ptr addrspace(2) %image, i64 40
  %format = load i32, ptr addrspace(2) %p
  ret i32 %format
}
