; SPDX-License-Identifier: Apache-2.0
; SPDX-FileCopyrightText: The Quern authors
; A loop that only counts down counts up.
; RUN: %quernc --passes=canonicalize-induction %s | FileCheck %s

; CHECK-LABEL: @down(
; CHECK: loop:
; CHECK-NEXT: %[[UP:[0-9]+]] = phi i64 [ %[[NEXT:[0-9]+]], %loop ], [ 0, %entry ]
; CHECK-NEXT: %[[NEXT]] = add nuw nsw i64 %[[UP]], 1
; CHECK-NOT: phi
define void @down(ptr %base, i64 %n) {
entry:
  br label %loop
loop:
  %i = phi i64 [ %n, %entry ], [ %i.next, %loop ]
  %p = phi ptr [ %base, %entry ], [ %p.next, %loop ]
  store i32 0, ptr %p
  %p.next = getelementptr i8, ptr %p, i64 4
  %i.next = add i64 %i, -1
  %done = icmp eq i64 %i.next, 0
  br i1 %done, label %exit, label %loop
exit:
  ret void
}
