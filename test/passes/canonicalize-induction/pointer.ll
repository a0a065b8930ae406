; SPDX-License-Identifier: Apache-2.0
; SPDX-FileCopyrightText: The Quern authors
; A pointer that is moved on becomes an index.
; RUN: %quernc --passes=canonicalize-induction %s | FileCheck %s

; CHECK-LABEL: @walk(
; CHECK: loop:
; CHECK-NEXT: %i = phi i64
; CHECK-NOT: phi ptr
; CHECK: mul i64 %i, 4
; CHECK: getelementptr i8, ptr %base
define void @walk(ptr %base, i64 %n) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %i.next, %loop ]
  %p = phi ptr [ %base, %entry ], [ %p.next, %loop ]
  store i32 0, ptr %p
  %p.next = getelementptr i8, ptr %p, i64 4
  %i.next = add nuw nsw i64 %i, 1
  %more = icmp ult i64 %i.next, %n
  br i1 %more, label %loop, label %exit
exit:
  ret void
}
