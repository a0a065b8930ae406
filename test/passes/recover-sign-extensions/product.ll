; SPDX-License-Identifier: Apache-2.0
; SPDX-FileCopyrightText: The Quern authors
; `int x = get_local_id(0); a[x * 3]`: the factor has the shift, and gives it back.
; RUN: %quernc --passes=recover-sign-extensions %s | FileCheck %s

; CHECK-LABEL: @three(
; CHECK-NEXT: %[[PRODUCT:.*]] = mul i64 %x, 3
; CHECK-NEXT: %[[SHIFTED:.*]] = shl i64 %[[PRODUCT]], 32
; CHECK-NEXT: ashr exact i64 %[[SHIFTED]], 30
; CHECK-NEXT: ret
define i64 @three(i64 %x) {
  %product = mul i64 %x, 12884901888
  %index = ashr exact i64 %product, 30
  ret i64 %index
}

; CHECK-LABEL: @minus_three(
; CHECK: mul i64 %x, -3
define i64 @minus_three(i64 %x) {
  %product = mul i64 %x, -12884901888
  %index = ashr exact i64 %product, 30
  ret i64 %index
}
