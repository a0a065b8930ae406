; SPDX-License-Identifier: Apache-2.0
; SPDX-FileCopyrightText: The Quern authors
; Lanes of the inner blend may be fewer.
; RUN: %quernc --passes=remove-redundant-selects %s | FileCheck %s

; CHECK-LABEL: @within(
; CHECK: %inner = select <4 x i1> %both
; CHECK-NEXT: ret <4 x i32> %inner
define <4 x i32> @within(<4 x i1> %on, <4 x i1> %more, <4 x i32> %old, <4 x i32> %new) {
  %both = and <4 x i1> %on, %more
  %inner = select <4 x i1> %both, <4 x i32> %new, <4 x i32> %old
  %outer = select <4 x i1> %on, <4 x i32> %inner, <4 x i32> %old
  ret <4 x i32> %outer
}
