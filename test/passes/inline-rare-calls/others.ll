; SPDX-License-Identifier: Apache-2.0
; SPDX-FileCopyrightText: The Quern authors
; Not inlined: functions that are not cold, that other modules may define, or that call themselves.
; RUN: %quernc --passes=inline-rare-calls %s | FileCheck %s

; CHECK-LABEL: @caller(
; CHECK: call float @warm(
; CHECK: call float @shared(
; CHECK: call float @elsewhere(
define float @caller(float %x) {
  %a = call float @warm(float %x)
  %b = call float @shared(float %a)
  %c = call float @elsewhere(float %b)
  ret float %c
}

define internal float @warm(float %x) noinline {
  %y = fmul float %x, 2.0
  ret float %y
}

define float @shared(float %x) cold noinline {
  %y = fmul float %x, 3.0
  ret float %y
}

declare float @elsewhere(float) cold

; CHECK-LABEL: @itself(
; CHECK: call float @itself(
define internal float @itself(float %x) cold noinline {
  %c = fcmp ogt float %x, 1.0
  br i1 %c, label %again, label %done
again:
  %y = fmul float %x, 0.5
  %z = call float @itself(float %y)
  ret float %z
done:
  ret float %x
}
