; SPDX-License-Identifier: Apache-2.0
; SPDX-FileCopyrightText: The Quern authors
; Images are pointers to their descriptions, samplers numbers, pipes pointers; kernels remember which.
; RUN: %quernc --passes=lower-opaque-types %s | FileCheck %s

; CHECK-LABEL: define spir_kernel void @kernel(
; CHECK-SAME: ptr addrspace(2) noalias readonly align {{[0-9]+}} dereferenceable({{[0-9]+}}) "quern-image" %
; CHECK-SAME: i32 "quern-sampler" %
; CHECK-SAME: ptr addrspace(1) "quern-pipe" %
define spir_kernel void @kernel(target("spirv.Image", void, 1, 0, 0, 0, 0, 0, 0) %image,
                                target("spirv.Sampler") %sampler, target("spirv.Pipe", 0) %pipe) {
  ret void
}
