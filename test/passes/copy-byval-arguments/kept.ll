; SPDX-License-Identifier: Apache-2.0
; SPDX-FileCopyrightText: The Quern authors
; Functions that others may call keep the parameter: external ones, and those whose address is taken.
; RUN: %quernc --passes=copy-byval-arguments %s | FileCheck %s

; CHECK-LABEL: define void @external(
; CHECK-SAME: ptr byval(i32) %s)
define void @external(ptr byval(i32) %s) {
  ret void
}

; CHECK-LABEL: define internal void @taken(
; CHECK-SAME: ptr byval(i32) %s)
define internal void @taken(ptr byval(i32) %s) {
  ret void
}

define ptr @takes() {
  ret ptr @taken
}
