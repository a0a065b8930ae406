; SPDX-License-Identifier: Apache-2.0
; SPDX-FileCopyrightText: The Quern authors
; The required size bounds the dimensions that it has. The last work-groups of an ND-range may be smaller.
; RUN: %quernc --passes=bound-work-items %s | FileCheck %s

declare i64 @_Z12get_local_idj(i32)
declare i64 @_Z14get_local_sizej(i32)

; CHECK-LABEL: @kernel(
; CHECK: %x = call range(i64 0, 64) i64
; CHECK: %y = call range(i64 0, 1) i64
; CHECK: %any = call range(i64 0, 4096) i64
; CHECK: %none = call range(i64 0, 4096) i64
; CHECK: %size = call range(i64 1, 65) i64
define void @kernel(i32 %dimension) !reqd_work_group_size !0 {
  %x = call i64 @_Z12get_local_idj(i32 0)
  %y = call i64 @_Z12get_local_idj(i32 1)
  %any = call i64 @_Z12get_local_idj(i32 %dimension)
  %none = call i64 @_Z12get_local_idj(i32 3)
  %size = call i64 @_Z14get_local_sizej(i32 0)
  ret void
}

!0 = !{i32 64, i32 1, i32 1}
