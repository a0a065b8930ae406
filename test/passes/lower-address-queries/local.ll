; SPDX-License-Identifier: Apache-2.0
; SPDX-FileCopyrightText: The Quern authors
; An address of local memory lies within what the thread lent.
; RUN: %quernc --passes=lower-address-queries %s | FileCheck %s

; CHECK-LABEL: @query(
; CHECK: %[[LOCAL:[0-9]+]] = ptrtoint ptr addrspace(3) %local to i64
; CHECK: %[[DISTANCE:[0-9]+]] = sub i64 %{{[0-9]+}}, %[[LOCAL]]
; CHECK: %[[IS_LOCAL:[0-9]+]] = icmp ult i64 %[[DISTANCE]], %{{[0-9]+}}
; CHECK: select i1 %[[IS_LOCAL]], ptr addrspace(3)
define void @query(ptr %p, ptr %out,
                   ptr %ndrange, ptr addrspace(3) %local, ptr %scratch, ptr %memory, i64 %id.x, i64 %id.y, i64 %id.z,
                    i64 %size.x, i64 %size.y, i64 %size.z) {
  %q = call ptr addrspace(3) @__to_local(ptr %p)
  store ptr addrspace(3) %q, ptr %out
  ret void
}

declare ptr addrspace(3) @__to_local(ptr)
