; SPDX-License-Identifier: Apache-2.0
; SPDX-FileCopyrightText: The Quern authors
; What an iteration has stored, the next one does not load.
; RUN: %quernc --passes="function(loop-simplify,lcssa,vectorize-loops)" %s | FileCheck %s

; CHECK-LABEL: @recurrence(
; CHECK: %[[LAST:.*]] = phi float [ %{{.*}}, %entry ], [ %y, %loop ]
; CHECK: %y = fdiv float %x, %[[LAST]]
define void @recurrence(ptr noalias %out, ptr noalias %in)  {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %i.next, %loop ]
  %i.next = add nuw nsw i64 %i, 1
  %p = getelementptr inbounds float, ptr %out, i64 %i
  %q = getelementptr inbounds float, ptr %out, i64 %i.next
  %r = getelementptr inbounds float, ptr %in, i64 %i.next
  %last = load float, ptr %p
  %x = load float, ptr %r
  %y = fdiv float %x, %last
  store float %y, ptr %q
  %more = icmp ult i64 %i.next, 1024
  br i1 %more, label %loop, label %exit
exit:
  ret void
}
