; SPDX-License-Identifier: Apache-2.0
; SPDX-FileCopyrightText: The Quern authors
; A load that no select uses stays as it is.
; RUN: %quernc --passes=keep-masked-loads %s | FileCheck %s

; CHECK-LABEL: @plain(
; CHECK-NOT: freeze
; CHECK: ret
define <8 x i32> @plain(ptr %p, <8 x i1> %on) {
  %v = call <8 x i32> @llvm.masked.load.v8i32.p0(ptr align 4 %p, <8 x i1> %on, <8 x i32> poison)
  %sum = add <8 x i32> %v, splat (i32 1)
  ret <8 x i32> %sum
}
