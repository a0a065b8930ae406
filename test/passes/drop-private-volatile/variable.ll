; SPDX-License-Identifier: Apache-2.0
; SPDX-FileCopyrightText: The Quern authors
; Accesses of a variable that nothing but the work-item sees, and that has one value.
; RUN: %quernc --passes=drop-private-volatile %s | FileCheck %s

; CHECK-LABEL: @kernel(
; CHECK: store i32 %id, ptr %tid
; CHECK: load i32, ptr %tid
; CHECK-NOT: volatile
define i32 @kernel(i32 %id) {
  %tid = alloca i32
  store volatile i32 %id, ptr %tid
  %value = load volatile i32, ptr %tid
  ret i32 %value
}
