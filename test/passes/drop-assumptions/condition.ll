; SPDX-License-Identifier: Apache-2.0
; SPDX-FileCopyrightText: The Quern authors
; What an assumption alone uses goes with it; what something else uses stays.
; RUN: %quernc --passes=drop-assumptions %s | FileCheck %s

; CHECK-LABEL: @condition(
; CHECK-NEXT: %sum = add i64 %x, 1
; CHECK-NEXT: %fits = icmp ult i64 %sum, 100
; CHECK-NEXT: %result = select i1 %fits, i64 %sum, i64 0
; CHECK-NEXT: ret i64 %result
define i64 @condition(i64 %x) {
  %product = mul i64 %x, %x
  %low = icmp ult i64 %product, 2147483648
  call void @llvm.assume(i1 %low)
  %sum = add i64 %x, 1
  %fits = icmp ult i64 %sum, 100
  call void @llvm.assume(i1 %fits)
  %result = select i1 %fits, i64 %sum, i64 0
  ret i64 %result
}

declare void @llvm.assume(i1)
