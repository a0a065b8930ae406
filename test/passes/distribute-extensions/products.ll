; SPDX-License-Identifier: Apache-2.0
; SPDX-FileCopyrightText: The Quern authors
; Products and shifts by constants become 64-bit ones. Products of two variables do not.
; RUN: %quernc --passes=distribute-extensions %s | FileCheck %s

; CHECK-LABEL: @constant(
; CHECK: %[[X:.*]] = sext i32 %x to i64
; CHECK: %[[PRODUCT:.*]] = mul nsw i64 %[[X]], -12
; CHECK: %index = shl nsw i64 %[[PRODUCT]], 2
define ptr @constant(ptr %a, i32 %x) {
  %product = mul nsw i32 %x, -12
  %shifted = shl nsw i32 %product, 2
  %index = sext i32 %shifted to i64
  %address = getelementptr i8, ptr %a, i64 %index
  ret ptr %address
}

; CHECK-LABEL: @variable(
; CHECK: %product = mul nsw i32 %y, %stride
; CHECK-DAG: %[[PRODUCT:.*]] = sext i32 %product to i64
; CHECK-DAG: %[[X:.*]] = sext i32 %x to i64
; CHECK: %index = add nsw i64 %[[X]], %[[PRODUCT]]
define ptr @variable(ptr %a, i32 %x, i32 %y, i32 %stride) {
  %product = mul nsw i32 %y, %stride
  %sum = add nsw i32 %x, %product
  %index = sext i32 %sum to i64
  %address = getelementptr float, ptr %a, i64 %index
  ret ptr %address
}
