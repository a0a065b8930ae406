; SPDX-License-Identifier: Apache-2.0
; SPDX-FileCopyrightText: The Quern authors
; A step that is no multiple of the other one's is kept.
; RUN: %quernc --passes=canonicalize-induction %s | FileCheck %s

; CHECK-LABEL: @ratio(
; CHECK: phi i64
; CHECK-NEXT: phi ptr
define void @ratio(ptr %base, i64 %n) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %i.next, %loop ]
  %p = phi ptr [ %base, %entry ], [ %p.next, %loop ]
  store i8 0, ptr %p
  %p.next = getelementptr i8, ptr %p, i64 3
  %i.next = add nuw nsw i64 %i, 2
  %more = icmp ult i64 %i.next, %n
  br i1 %more, label %loop, label %exit
exit:
  ret void
}
