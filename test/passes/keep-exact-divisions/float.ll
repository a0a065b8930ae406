; SPDX-License-Identifier: Apache-2.0
; SPDX-FileCopyrightText: The Quern authors
; A float's division without !fpmath is to be exact.
; RUN: %quernc --passes=keep-exact-divisions %s | FileCheck %s

; CHECK-LABEL: @exact(
; CHECK: fdiv float %x, %y
define float @exact(float %x, float %y) {
  %q = fdiv arcp float %x, %y
  ret float %q
}
