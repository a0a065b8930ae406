; SPDX-License-Identifier: Apache-2.0
; SPDX-FileCopyrightText: The Quern authors
; Operands of bundles go too. What has an effect of its own stays, as does any other call.
; RUN: %quernc --passes=drop-assumptions %s | FileCheck %s

; CHECK-LABEL: @bundle(
; CHECK-NEXT: %first = load volatile i64, ptr %p
; CHECK-NEXT: %value = call i32 @llvm.expect.i32(i32 %x, i32 1)
; CHECK-NEXT: ret i32 %value
define i32 @bundle(ptr %p, i32 %x) {
  %next = getelementptr i8, ptr %p, i64 64
  call void @llvm.assume(i1 true) [ "align"(ptr %next, i64 64) ]
  %first = load volatile i64, ptr %p
  %positive = icmp sgt i64 %first, 0
  call void @llvm.assume(i1 %positive)
  %value = call i32 @llvm.expect.i32(i32 %x, i32 1)
  ret i32 %value
}

declare void @llvm.assume(i1)
declare i32 @llvm.expect.i32(i32, i32)
