; SPDX-License-Identifier: Apache-2.0
; SPDX-FileCopyrightText: The Quern authors
; `int x = get_local_id(0); a[x + 1]`, a[x - 1] and a[x + y * 18 + 1]: the shift comes after the sum.
; RUN: %quernc --passes=recover-sign-extensions %s | FileCheck %s

; CHECK-LABEL: @next(
; CHECK-NEXT: %[[SUM:.*]] = add i64 %x, 1
; CHECK-NEXT: %[[SHIFTED:.*]] = shl i64 %[[SUM]], 32
; CHECK-NEXT: ashr exact i64 %[[SHIFTED]], 30
; CHECK-NEXT: ret
define i64 @next(i64 %x) {
  %shifted = shl i64 %x, 32
  %sum = add i64 %shifted, 4294967296
  %index = ashr exact i64 %sum, 30
  ret i64 %index
}

; CHECK-LABEL: @previous(
; CHECK-NEXT: %[[SUM:.*]] = add i64 %x, -1
; CHECK-NEXT: %[[SHIFTED:.*]] = shl i64 %[[SUM]], 32
; CHECK-NEXT: ashr exact i64 %[[SHIFTED]], 32
define i64 @previous(i64 %x) {
  %shifted = shl i64 %x, 32
  %sum = add i64 %shifted, -4294967296
  %index = ashr exact i64 %sum, 32
  ret i64 %index
}

; CHECK-LABEL: @disjoint(
; CHECK-DAG: %[[X:.*]] = shl i64 %x, 1
; CHECK-DAG: add i64 %[[X]], 1
; CHECK-DAG: mul i64 %y, 18
; CHECK: shl i64 %{{.*}}, 32
; CHECK-NEXT: ashr exact i64 %{{.*}}, 30
define i64 @disjoint(i64 %x, i64 %y) {
  %row = mul i64 %y, 77309411328
  %shifted = shl i64 %x, 33
  %sum = or disjoint i64 %shifted, 4294967296
  %place = add i64 %sum, %row
  %index = ashr exact i64 %place, 30
  ret i64 %index
}
