; SPDX-License-Identifier: Apache-2.0
; SPDX-FileCopyrightText: The Quern authors
; Ids and sizes in a work-group are within the largest one of the target; other work-item functions have no bound.
; RUN: %quernc --passes=bound-work-items %s | FileCheck %s

declare i64 @_Z12get_local_idj(i32)
declare i64 @_Z14get_local_sizej(i32)
declare i64 @_Z23get_enqueued_local_sizej(i32)
declare i64 @_Z13get_global_idj(i32)
declare i32 @_Z12get_work_dimv()

; CHECK-LABEL: @kernel(
; CHECK: %id = call range(i64 0, 4096) i64
; CHECK: %size = call range(i64 1, 4097) i64
; CHECK: %enqueued = call range(i64 1, 4097) i64
; CHECK: %global = call i64
; CHECK: %dimensions = call range(i32 1, 4) i32
define void @kernel(i32 %dimension) {
  %id = call i64 @_Z12get_local_idj(i32 %dimension)
  %size = call i64 @_Z14get_local_sizej(i32 0)
  %enqueued = call i64 @_Z23get_enqueued_local_sizej(i32 1)
  %global = call i64 @_Z13get_global_idj(i32 0)
  %dimensions = call i32 @_Z12get_work_dimv()
  ret void
}
