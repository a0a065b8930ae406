; SPDX-License-Identifier: Apache-2.0
; SPDX-FileCopyrightText: The Quern authors
; What must be rounded correctly stays: floats without !fpmath, doubles.
; RUN: %quernc --passes=divide-by-constants %s | FileCheck %s

; CHECK-LABEL: @float(
; CHECK: fdiv float %x, 3.000000e+00
define float @float(float %x) {
  %q = fdiv float %x, 3.0
  ret float %q
}

; CHECK-LABEL: @double(
; CHECK: fdiv double %x, 3.000000e+00
define double @double(double %x) {
  %q = fdiv double %x, 3.0
  ret double %q
}

; CHECK-LABEL: @closer(
; CHECK: fdiv float %x, 3.000000e+00
define float @closer(float %x) {
  %q = fdiv float %x, 3.0, !fpmath !0
  ret float %q
}

!0 = !{float 1.0}
