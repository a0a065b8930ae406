; SPDX-License-Identifier: Apache-2.0
; SPDX-FileCopyrightText: The Quern authors
; A work-item alone is number 0 of 1, and its sub-group's first one is itself.
; RUN: %quernc --passes=single-sub-groups %s | FileCheck %s

; CHECK-LABEL: @place(
; CHECK: %[[FIRST:[0-9]+]] = add i64 %row, %item
; CHECK: store volatile i32 1, ptr %out
; CHECK: store volatile i32 0, ptr %out
; CHECK: store volatile i64 %[[FIRST]], ptr %out
define void @place(i64 %row, i64 %item, ptr %out) {
  %width = call i32 @__quern_sub_group_width()
  %id = call i32 @__quern_sub_group_local_id()
  %first = call i64 @__quern_sub_group_first(i64 %row, i64 %item)
  store volatile i32 %width, ptr %out
  store volatile i32 %id, ptr %out
  store volatile i64 %first, ptr %out
  ret void
}

declare i32 @__quern_sub_group_width()
declare i32 @__quern_sub_group_local_id()
declare i64 @__quern_sub_group_first(i64, i64)
