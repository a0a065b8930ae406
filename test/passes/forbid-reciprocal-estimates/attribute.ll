; SPDX-License-Identifier: Apache-2.0
; SPDX-FileCopyrightText: The Quern authors
; Functions with a body get the attribute that the code generator asks for.
; RUN: %quernc --passes=forbid-reciprocal-estimates %s | FileCheck %s

; CHECK: define float @f(float %x) #[[ATTRIBUTES:[0-9]+]]
; CHECK: declare float @g(float){{$}}
; CHECK: attributes #[[ATTRIBUTES]] = {{.*}}"reciprocal-estimates"="!div,!vec-div,!sqrth,!vec-sqrth"
define float @f(float %x) {
  %y = call float @g(float %x)
  ret float %y
}

declare float @g(float)
