; SPDX-License-Identifier: Apache-2.0
; SPDX-FileCopyrightText: The Quern authors
; Divisors that have no such inverse: powers of two, the very small and large, zero, infinity, variables.
; RUN: %quernc --passes=divide-by-constants %s | FileCheck %s

; CHECK-LABEL: @divisors(
; CHECK: fdiv float %x, 4.000000e+00
; CHECK: fdiv float %x, 0x38
; CHECK: fdiv float %x, 0x47
; CHECK: fdiv float %x, 0.000000e+00
; CHECK: fdiv float %x, 0x7FF0000000000000
; CHECK: fdiv float %x, %y
; CHECK: fdiv float 1.000000e+00, %x
; CHECK-NOT: fma
define void @divisors(float %x, float %y, ptr %p) {
  %a = fdiv float %x, 4.0, !fpmath !0
  store volatile float %a, ptr %p
  %b = fdiv float %x, 0x38123456E0000000, !fpmath !0
  store volatile float %b, ptr %p
  %c = fdiv float %x, 0x4712345600000000, !fpmath !0
  store volatile float %c, ptr %p
  %d = fdiv float %x, 0.0, !fpmath !0
  store volatile float %d, ptr %p
  %e = fdiv float %x, 0x7FF0000000000000, !fpmath !0
  store volatile float %e, ptr %p
  %f = fdiv float %x, %y, !fpmath !0
  store volatile float %f, ptr %p
  %g = fdiv float 1.0, %x, !fpmath !0
  store volatile float %g, ptr %p
  ret void
}

!0 = !{float 2.5}
