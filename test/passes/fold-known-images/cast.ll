; SPDX-License-Identifier: Apache-2.0
; SPDX-FileCopyrightText: The Quern authors
; Through casts and several steps; volatile loads stay.
; RUN: %quernc --passes=fold-known-images %s | FileCheck %s

; CHECK-LABEL: @cast(
; CHECK: ret i32 1023
define i32 @cast(ptr addrspace(2) "quern-known-image"="1023 4 4277 4306" %image) {
  %p = getelementptr i8, ptr addrspace(2) %image, i64 32
  %generic = addrspacecast ptr addrspace(2) %p to ptr
  %q = getelementptr i8, ptr %generic, i64 8
  %format = load i32, ptr %q
  ret i32 %format
}

; CHECK-LABEL: @volatile(
; CHECK: ret i32 %format
define i32 @volatile(ptr addrspace(2) "quern-known-image"="1023 4 4277 4306" %image) {
  %p = getelementptr i8, ptr addrspace(2) %image, i64 40
  %format = load volatile i32, ptr addrspace(2) %p
  ret i32 %format
}
