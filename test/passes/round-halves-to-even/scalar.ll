; SPDX-License-Identifier: Apache-2.0
; SPDX-FileCopyrightText: The Quern authors
; rint of a half is roundeven.
; RUN: %quernc --passes=round-halves-to-even %s | FileCheck %s

; CHECK-LABEL: @scalar(
; CHECK: call half @llvm.roundeven.f16(half %x)
define half @scalar(half %x) {
  %y = call half @llvm.rint.f16(half %x)
  ret half %y
}
