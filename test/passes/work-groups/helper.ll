; SPDX-License-Identifier: Apache-2.0
; SPDX-FileCopyrightText: The Quern authors
; Functions that are not a work-group's stay as they are.
; RUN: %quernc --passes=work-groups %s | FileCheck %s

; CHECK: define internal i32 @helper(i32 %x) {
; CHECK-NEXT: ret i32 %x
define internal i32 @helper(i32 %x) {
  ret i32 %x
}

define i32 @external(i32 %x) {
  %y = call i32 @helper(i32 %x)
  ret i32 %y
}
