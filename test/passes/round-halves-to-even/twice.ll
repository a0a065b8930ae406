; SPDX-License-Identifier: Apache-2.0
; SPDX-FileCopyrightText: The Quern authors
; All calls, and other ways of rounding stay.
; RUN: %quernc --passes=round-halves-to-even %s | FileCheck %s

; CHECK-LABEL: @twice(
; CHECK: call half @llvm.roundeven.f16
; CHECK: call fast half @llvm.roundeven.f16
; CHECK: call half @llvm.trunc.f16
; CHECK-NOT: llvm.rint
define half @twice(half %x) {
  %y = call half @llvm.rint.f16(half %x)
  %z = call fast half @llvm.rint.f16(half %y)
  %t = call half @llvm.trunc.f16(half %z)
  ret half %t
}
