; SPDX-License-Identifier: Apache-2.0
; SPDX-FileCopyrightText: The Quern authors
; Accesses of two branches stay there: behind a phi of two pointers, an address would have no stride over work-items.
; RUN: %quernc --passes=optimize-scalar %s | FileCheck %s

; CHECK-LABEL: @branches(
; CHECK: load float, ptr addrspace(1)
; CHECK: store float
; CHECK: load float, ptr addrspace(1)
; CHECK: store float
; CHECK: ret void
define void @branches(ptr addrspace(1) %in, ptr addrspace(1) %out, i64 %x, i64 %y, i1 %is_left) {
entry:
  br i1 %is_left, label %left, label %right
left:
  %p = getelementptr float, ptr addrspace(1) %in, i64 %x
  %v = load float, ptr addrspace(1) %p
  %q = getelementptr float, ptr addrspace(1) %out, i64 %x
  store float %v, ptr addrspace(1) %q
  br label %done
right:
  %p1 = getelementptr float, ptr addrspace(1) %in, i64 %y
  %v1 = load float, ptr addrspace(1) %p1
  %q1 = getelementptr float, ptr addrspace(1) %out, i64 %y
  store float %v1, ptr addrspace(1) %q1
  br label %done
done:
  ret void
}
