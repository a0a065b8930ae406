; SPDX-License-Identifier: Apache-2.0
; SPDX-FileCopyrightText: The Quern authors
; A blend of other lanes, or with something else, stays.
; RUN: %quernc --passes=remove-redundant-selects %s | FileCheck %s

; CHECK-LABEL: @other_lanes(
; CHECK: ret <4 x i32> %outer
define <4 x i32> @other_lanes(<4 x i1> %on, <4 x i1> %others, <4 x i32> %old, <4 x i32> %new) {
  %inner = select <4 x i1> %others, <4 x i32> %new, <4 x i32> %old
  %outer = select <4 x i1> %on, <4 x i32> %inner, <4 x i32> %old
  ret <4 x i32> %outer
}

; CHECK-LABEL: @other_value(
; CHECK: ret <4 x i32> %outer
define <4 x i32> @other_value(<4 x i1> %on, <4 x i32> %old, <4 x i32> %older, <4 x i32> %new) {
  %inner = select <4 x i1> %on, <4 x i32> %new, <4 x i32> %older
  %outer = select <4 x i1> %on, <4 x i32> %inner, <4 x i32> %old
  ret <4 x i32> %outer
}
