; SPDX-License-Identifier: Apache-2.0
; SPDX-FileCopyrightText: The Quern authors
; A sampler of which the bits are known is these bits.
; RUN: %quernc --passes=fold-known-samplers %s | FileCheck %s

; CHECK-LABEL: @known(
; CHECK: add i32 18, 1
define spir_kernel void @known(i32 "quern-known-sampler"="18" %sampler, ptr addrspace(1) %out) {
  %sum = add i32 %sampler, 1
  store i32 %sum, ptr addrspace(1) %out
  ret void
}
