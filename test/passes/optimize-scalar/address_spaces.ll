; SPDX-License-Identifier: Apache-2.0
; SPDX-FileCopyrightText: The Quern authors
; Local memory is neither global nor constant memory: a store to one leaves what was loaded from the other, also through
; a generic pointer to a known object. A buffer may be global and constant memory.
; RUN: %quernc --passes=optimize-scalar %s | FileCheck %s

; CHECK-LABEL: @local_and_global(
; CHECK: load float
; CHECK: store float
; CHECK-NOT: load float
; CHECK: ret float
define float @local_and_global(ptr addrspace(3) %in, ptr addrspace(1) %out) {
  %first = load float, ptr addrspace(3) %in
  store float 1.0, ptr addrspace(1) %out
  %second = load float, ptr addrspace(3) %in
  %sum = fadd float %first, %second
  ret float %sum
}

; CHECK-LABEL: @constant_and_local(
; CHECK: load float
; CHECK: store float
; CHECK-NOT: load float
; CHECK: ret float
define float @constant_and_local(ptr addrspace(2) %in, ptr addrspace(3) %out) {
  %first = load float, ptr addrspace(2) %in
  %generic = addrspacecast ptr addrspace(3) %out to ptr addrspace(4)
  store float 1.0, ptr addrspace(4) %generic
  %second = load float, ptr addrspace(2) %in
  %sum = fadd float %first, %second
  ret float %sum
}

; CHECK-LABEL: @constant_and_global(
; CHECK: load float
; CHECK: store float
; CHECK: load float
; CHECK: ret float
define float @constant_and_global(ptr addrspace(2) %in, ptr addrspace(1) %out) {
  %first = load float, ptr addrspace(2) %in
  store float 1.0, ptr addrspace(1) %out
  %second = load float, ptr addrspace(2) %in
  %sum = fadd float %first, %second
  ret float %sum
}

; CHECK-LABEL: @generic(
; CHECK: load float
; CHECK: store float
; CHECK: load float
; CHECK: ret float
define float @generic(ptr addrspace(3) %in, ptr addrspace(4) %out) {
  %first = load float, ptr addrspace(3) %in
  store float 1.0, ptr addrspace(4) %out
  %second = load float, ptr addrspace(3) %in
  %sum = fadd float %first, %second
  ret float %sum
}
