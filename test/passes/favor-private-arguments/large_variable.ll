; SPDX-License-Identifier: Apache-2.0
; SPDX-FileCopyrightText: The Quern authors
; A large variable is a table that stays in memory.
; RUN: %quernc --passes=favor-private-arguments %s | FileCheck %s

; CHECK: define internal void @for_edge(ptr %values) #[[ALWAYS:[0-9]+]]
define internal void @for_edge(ptr %values) {
  store float 0.0, ptr %values
  ret void
}

; CHECK: define internal void @for_table(ptr %values) {
define internal void @for_table(ptr %values) {
  store float 0.0, ptr %values
  ret void
}

define void @kernel(i32 %count) {
  %edge = alloca [256 x float]
  %table = alloca [257 x float]
  %sized = alloca float, i32 %count
  call void @for_edge(ptr %edge)
  call void @for_table(ptr %table)
  call void @for_table(ptr %sized)
  ret void
}

; CHECK: attributes #[[ALWAYS]] = { alwaysinline }
