; SPDX-License-Identifier: Apache-2.0
; SPDX-FileCopyrightText: The Quern authors
; The same for an array that is indexed, through a generic pointer too.
; RUN: %quernc --passes=drop-private-volatile %s | FileCheck %s

; CHECK-LABEL: @kernel(
; CHECK-NOT: volatile
; CHECK: ret i32
define i32 @kernel(i64 %i, i64 %j) {
  %array = alloca [16 x i32]
  %first = getelementptr i32, ptr %array, i64 %i
  store volatile i32 1, ptr %first
  %generic = addrspacecast ptr %array to ptr addrspace(4)
  %second = getelementptr i32, ptr addrspace(4) %generic, i64 %j
  %value = load volatile i32, ptr addrspace(4) %second
  ret i32 %value
}
