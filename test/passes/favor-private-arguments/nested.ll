; SPDX-License-Identifier: Apache-2.0
; SPDX-FileCopyrightText: The Quern authors
; A function that hands its argument on may itself be inlined to where the variable is.
; RUN: %quernc --passes=favor-private-arguments %s | FileCheck %s

; CHECK: define internal void @inner(ptr %value) #[[ALWAYS:[0-9]+]]
define internal void @inner(ptr %value) {
  store float 0.0, ptr %value
  ret void
}

; CHECK: define internal void @outer(ptr %values) #[[ALWAYS]]
define internal void @outer(ptr %values) {
  %half = getelementptr i8, ptr %values, i64 32
  call void @inner(ptr %half)
  ret void
}

; CHECK: define void @kernel() {
define void @kernel() {
  %variable = alloca [16 x float]
  call void @outer(ptr %variable)
  ret void
}

; CHECK: attributes #[[ALWAYS]] = { alwaysinline }
