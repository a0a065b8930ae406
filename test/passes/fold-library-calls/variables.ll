; SPDX-License-Identifier: Apache-2.0
; SPDX-FileCopyrightText: The Quern authors
; A constant may have been kept in a variable; an exact program's divisions are exact.
; RUN: %quernc --passes=fold-library-calls %s | FileCheck %s

; CHECK-LABEL: @variable(
; CHECK: [[INVERSE:%.*]] = fdiv float 1.000000e+00, %x
; CHECK-NOT: fpmath
; CHECK: ret float [[INVERSE]]
define float @variable(float %x) {
  %exponent = alloca float
  store float -1.0, ptr %exponent
  %e = load float, ptr %exponent
  %y = call spir_func float @_Z3powff(float %x, float %e)
  ret float %y
}

define float @exact(float %x, float %y) {
  %q = fdiv float %x, %y
  ret float %q
}

declare spir_func float @_Z3powff(float, float)
