; SPDX-License-Identifier: Apache-2.0
; SPDX-FileCopyrightText: The Quern authors
; A function of such a name that the program defines is another one.
; RUN: %quernc --passes=single-sub-groups %s | FileCheck %s

; CHECK-LABEL: @call(
; CHECK: call i32 @__quern_sub_group_width()
define i32 @call() {
  %width = call i32 @__quern_sub_group_width()
  ret i32 %width
}

define i32 @__quern_sub_group_width() {
  ret i32 3
}
