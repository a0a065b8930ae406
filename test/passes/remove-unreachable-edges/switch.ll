; SPDX-License-Identifier: Apache-2.0
; SPDX-FileCopyrightText: The Quern authors
; A default that leads nowhere becomes one of the cases, whose phis stay right.
; RUN: %quernc --passes=remove-unreachable-edges %s | FileCheck %s

; CHECK-LABEL: @switch(
; CHECK: switch i32 %c, label %[[FIRST:a|b]] [
; CHECK-NOT: %dead
; CHECK: ]
define i32 @switch(i32 %c) {
entry:
  switch i32 %c, label %dead [
    i32 0, label %a
    i32 1, label %b
  ]
dead:
  unreachable
a:
  %x = phi i32 [ 5, %entry ]
  ret i32 %x
b:
  ret i32 2
}

; CHECK-LABEL: @dead_case(
; CHECK: switch i32 %c, label %other [
; CHECK-NEXT: i32 1, label %b
; CHECK-NEXT: ]
define i32 @dead_case(i32 %c) {
  switch i32 %c, label %other [
    i32 0, label %dead
    i32 1, label %b
  ]
dead:
  unreachable
other:
  ret i32 1
b:
  ret i32 2
}
