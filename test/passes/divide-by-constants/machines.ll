; SPDX-License-Identifier: Apache-2.0
; SPDX-FileCopyrightText: The Quern authors
; Without a fused operation the library would compute it.
; RUN: env QUERN_CPU=nehalem %quernc --passes=divide-by-constants %s | FileCheck --check-prefix=WITHOUT %s
; RUN: env QUERN_CPU=haswell %quernc --passes=divide-by-constants %s | FileCheck --check-prefix=WITH %s

; WITHOUT: fdiv float
; WITH: @llvm.fma.f32
define float @by_three(float %x) {
  %q = fdiv float %x, 3.0, !fpmath !0
  ret float %q
}

!0 = !{float 2.5}
