; SPDX-License-Identifier: Apache-2.0
; SPDX-FileCopyrightText: The Quern authors
; The work-item's code is simplified; barriers stay.
; RUN: %quernc --passes=optimize-scalar %s | FileCheck %s

; CHECK-LABEL: @kernel(
; CHECK-NOT: alloca
; CHECK: call void @_Z7barrierj
; CHECK: store i32 3
define void @kernel(ptr addrspace(1) %out) {
  %a = alloca i32
  store i32 1, ptr %a
  call void @_Z7barrierj(i32 1)
  %x = load i32, ptr %a
  %y = add i32 %x, 2
  store i32 %y, ptr addrspace(1) %out
  ret void
}

declare void @_Z7barrierj(i32) convergent noduplicate
