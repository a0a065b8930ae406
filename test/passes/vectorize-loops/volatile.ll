; SPDX-License-Identifier: Apache-2.0
; SPDX-FileCopyrightText: The Quern authors
; What is volatile is done one by one.
; RUN: %quernc --passes="function(loop-simplify,lcssa,vectorize-loops)" %s | FileCheck %s

; CHECK-LABEL: @volatile(
; CHECK-NOT: fadd <
; CHECK: ret
define void @volatile(ptr noalias %out, ptr noalias %in)  {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %i.next, %loop ]
  %p = getelementptr float, ptr %in, i64 %i
  %q = getelementptr float, ptr %out, i64 %i
  %x = load float, ptr %p
  %y = fadd float %x, %x
  store volatile float %y, ptr %q
  %i.next = add nuw nsw i64 %i, 1
  %more = icmp ult i64 %i.next, 1024
  br i1 %more, label %loop, label %exit
exit:
  ret void
}
