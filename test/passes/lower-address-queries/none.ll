; SPDX-License-Identifier: Apache-2.0
; SPDX-FileCopyrightText: The Quern authors
; No query, no code; a function that is not one of a work-group has no memory to compare with.
; RUN: %quernc --passes=lower-address-queries %s | FileCheck %s

; CHECK-LABEL: @none(
; CHECK-NEXT: ret void
define void @none(ptr %p,
                  ptr %ndrange, ptr addrspace(3) %local, ptr %scratch, ptr %memory, i64 %id.x, i64 %id.y, i64 %id.z,
                    i64 %size.x, i64 %size.y, i64 %size.z) {
  ret void
}

; CHECK-LABEL: @helper(
; CHECK: call ptr addrspace(3) @__to_local(ptr %p)
define ptr addrspace(3) @helper(ptr %p) {
  %q = call ptr addrspace(3) @__to_local(ptr %p)
  ret ptr addrspace(3) %q
}

declare ptr addrspace(3) @__to_local(ptr)
