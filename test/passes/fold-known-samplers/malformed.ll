; SPDX-License-Identifier: Apache-2.0
; SPDX-FileCopyrightText: The Quern authors
; What is no number says nothing.
; RUN: %quernc --passes=fold-known-samplers %s | FileCheck %s

; CHECK-LABEL: @malformed(
; CHECK: add i32 %sampler, 1
define spir_kernel void @malformed(i32 "quern-known-sampler"="linear" %sampler, ptr addrspace(1) %out) {
  %sum = add i32 %sampler, 1
  store i32 %sum, ptr addrspace(1) %out
  ret void
}
