; SPDX-License-Identifier: Apache-2.0
; SPDX-FileCopyrightText: The Quern authors
; A large variable is a table that stays in memory.
; RUN: %quernc --passes=favor-private-arguments %s | FileCheck %s

define internal void @helper(ptr %values) {
  store float 0.0, ptr %values
  ret void
}

; CHECK-LABEL: @kernel(
; CHECK: call void @helper(ptr %edge) #
; CHECK: call void @helper(ptr %table){{$}}
; CHECK: call void @helper(ptr %sized){{$}}
define void @kernel(i32 %count) {
  %edge = alloca [256 x float]
  %table = alloca [257 x float]
  %sized = alloca float, i32 %count
  call void @helper(ptr %edge)
  call void @helper(ptr %table)
  call void @helper(ptr %sized)
  ret void
}
