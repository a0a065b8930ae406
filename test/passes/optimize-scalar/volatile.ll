; SPDX-License-Identifier: Apache-2.0
; SPDX-FileCopyrightText: The Quern authors
; Volatile accesses stay.
; RUN: %quernc --passes=optimize-scalar %s | FileCheck %s

; CHECK-LABEL: @kernel(
; CHECK-COUNT-2: load volatile i32, ptr %in
define i32 @kernel(ptr %in) {
  %x = load volatile i32, ptr %in
  %y = load volatile i32, ptr %in
  ret i32 %y
}
