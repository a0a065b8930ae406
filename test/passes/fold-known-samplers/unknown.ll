; SPDX-License-Identifier: Apache-2.0
; SPDX-FileCopyrightText: The Quern authors
; Other parameters stay parameters.
; RUN: %quernc --passes=fold-known-samplers %s | FileCheck %s

; CHECK-LABEL: @unknown(
; CHECK: add i32 %sampler, %n
define spir_kernel void @unknown(i32 "quern-sampler" %sampler, i32 %n, ptr addrspace(1) %out) {
  %sum = add i32 %sampler, %n
  store i32 %sum, ptr addrspace(1) %out
  ret void
}
