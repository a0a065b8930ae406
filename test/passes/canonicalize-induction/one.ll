; SPDX-License-Identifier: Apache-2.0
; SPDX-FileCopyrightText: The Quern authors
; A loop with one number that counts stays as it is.
; RUN: %quernc --passes=canonicalize-induction %s | FileCheck %s

; CHECK-LABEL: @one(
; CHECK: %i = phi i64 [ 0, %entry ], [ %i.next, %loop ]
; CHECK-NEXT: %p = getelementptr i32, ptr %base, i64 %i
; CHECK-NEXT: store
; CHECK-NEXT: %i.next = add nuw nsw i64 %i, 1
define void @one(ptr %base, i64 %n) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %i.next, %loop ]
  %p = getelementptr i32, ptr %base, i64 %i
  store i32 0, ptr %p
  %i.next = add nuw nsw i64 %i, 1
  %more = icmp ult i64 %i.next, %n
  br i1 %more, label %loop, label %exit
exit:
  ret void
}
