; SPDX-License-Identifier: Apache-2.0
; SPDX-FileCopyrightText: The Quern authors
; In a phi, at the end of the block that it comes from.
; RUN: %quernc --passes=expand-local-variable-uses %s | FileCheck %s

; CHECK-LABEL: @f(
; CHECK: left:
; CHECK-NEXT: %[[P:[0-9a-z.]+]] = getelementptr
; CHECK-NEXT: br label %end
; CHECK: phi ptr addrspace(3) [ %[[P]], %left ], [ @a, %entry ]
@a = internal addrspace(3) global [4 x i32] poison

define ptr addrspace(3) @f(i1 %c) {
entry:
  br i1 %c, label %left, label %end
left:
  br label %end
end:
  %p = phi ptr addrspace(3) [ getelementptr (i8, ptr addrspace(3) @a, i64 8), %left ], [ @a, %entry ]
  ret ptr addrspace(3) %p
}
