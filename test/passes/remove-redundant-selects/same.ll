; SPDX-License-Identifier: Apache-2.0
; SPDX-FileCopyrightText: The Quern authors
; A blend that puts back what was kept goes.
; RUN: %quernc --passes=remove-redundant-selects %s | FileCheck %s

; CHECK-LABEL: @same(
; CHECK: %inner = select
; CHECK-NEXT: ret <4 x i32> %inner
define <4 x i32> @same(<4 x i1> %on, <4 x i32> %old, <4 x i32> %new) {
  %inner = select <4 x i1> %on, <4 x i32> %new, <4 x i32> %old
  %outer = select <4 x i1> %on, <4 x i32> %inner, <4 x i32> %old
  ret <4 x i32> %outer
}
