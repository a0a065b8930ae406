; SPDX-License-Identifier: Apache-2.0
; SPDX-FileCopyrightText: The Quern authors
; A program without constructors gets no kernel.
; RUN: %quernc --passes=gather-constructors %s | FileCheck %s

; CHECK: define spir_kernel void @kernel()
; CHECK-NOT: (constructors)
define spir_kernel void @kernel() {
  ret void
}
