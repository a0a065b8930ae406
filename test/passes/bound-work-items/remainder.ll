; SPDX-License-Identifier: Apache-2.0
; SPDX-FileCopyrightText: The Quern authors
; A local id kept in an int: the remainder by a power of two is a mask, and the sign extension is the id.
; RUN: %quernc --passes="bound-work-items,instcombine" %s | FileCheck %s

declare i64 @_Z12get_local_idj(i32)

; CHECK-LABEL: @kernel(
; CHECK-NOT: srem
; CHECK-NOT: sext
; CHECK: and i32 %{{.*}}, 15
; CHECK: getelementptr {{.*}}, i64 %id
define void @kernel(ptr addrspace(3) %memory) {
  %id = call i64 @_Z12get_local_idj(i32 0)
  %narrow = trunc i64 %id to i32
  %position = srem i32 %narrow, 16
  %index = sext i32 %narrow to i64
  %element = getelementptr i32, ptr addrspace(3) %memory, i64 %index
  store i32 %position, ptr addrspace(3) %element
  ret void
}
