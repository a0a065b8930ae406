; SPDX-License-Identifier: Apache-2.0
; SPDX-FileCopyrightText: The Quern authors
; Sums that may overflow stay, as do extensions of what is no index, and sums with a loaded term.
; RUN: %quernc --passes=distribute-extensions %s | FileCheck %s

; CHECK-LABEL: @wraps(
; CHECK: %sum = add i32 %x, %y
; CHECK: %index = sext i32 %sum to i64
define ptr @wraps(ptr %a, i32 %x, i32 %y) {
  %sum = add i32 %x, %y
  %index = sext i32 %sum to i64
  %address = getelementptr float, ptr %a, i64 %index
  ret ptr %address
}

; CHECK-LABEL: @unsigned_sum(
; CHECK: %sum = add nuw i32 %x, %y
; CHECK: %index = sext i32 %sum to i64
define ptr @unsigned_sum(ptr %a, i32 %x, i32 %y) {
  %sum = add nuw i32 %x, %y
  %index = sext i32 %sum to i64
  %address = getelementptr float, ptr %a, i64 %index
  ret ptr %address
}

; CHECK-LABEL: @value(
; CHECK: %sum = add nsw i32 %x, %y
; CHECK: %wide = sext i32 %sum to i64
define i64 @value(i32 %x, i32 %y) {
  %sum = add nsw i32 %x, %y
  %wide = sext i32 %sum to i64
  ret i64 %wide
}

; CHECK-LABEL: @loaded(
; CHECK: %sum = add nsw i32 %tripled, %x
; CHECK: %index = sext i32 %sum to i64
define ptr @loaded(ptr %a, ptr %indices, i32 %x) {
  %loaded = load i32, ptr %indices
  %tripled = mul nsw i32 %loaded, 3
  %sum = add nsw i32 %tripled, %x
  %index = sext i32 %sum to i64
  %address = getelementptr float, ptr %a, i64 %index
  ret ptr %address
}

; CHECK-LABEL: @disjoint_not_known(
; CHECK: %sum = or i32 %x, %y
; CHECK: %index = sext i32 %sum to i64
define ptr @disjoint_not_known(ptr %a, i32 %x, i32 %y) {
  %sum = or i32 %x, %y
  %index = sext i32 %sum to i64
  %address = getelementptr float, ptr %a, i64 %index
  ret ptr %address
}
