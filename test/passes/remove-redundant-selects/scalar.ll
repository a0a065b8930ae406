; SPDX-License-Identifier: Apache-2.0
; SPDX-FileCopyrightText: The Quern authors
; A choice between whole vectors is no blend.
; RUN: %quernc --passes=remove-redundant-selects %s | FileCheck %s

; CHECK-LABEL: @scalar(
; CHECK: ret <4 x i32> %outer
define <4 x i32> @scalar(i1 %on, <4 x i32> %old, <4 x i32> %new) {
  %inner = select i1 %on, <4 x i32> %new, <4 x i32> %old
  %outer = select i1 %on, <4 x i32> %inner, <4 x i32> %old
  ret <4 x i32> %outer
}
