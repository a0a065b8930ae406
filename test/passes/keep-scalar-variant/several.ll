; SPDX-License-Identifier: Apache-2.0
; SPDX-FileCopyrightText: The Quern authors
; Each has its own copy, and calls stay what they are.
; RUN: %quernc --passes=keep-scalar-variant %s | FileCheck %s

; CHECK-LABEL: define void @caller(
; CHECK: call void @callee()
; CHECK: define void @__quern_single_callee(
; CHECK: define void @__quern_single_caller(
; CHECK: call void @callee()
define void @callee() "quern-undecided" {
  ret void
}

define void @caller() "quern-undecided" {
  call void @callee()
  ret void
}
