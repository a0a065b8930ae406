; SPDX-License-Identifier: Apache-2.0
; SPDX-FileCopyrightText: The Quern authors
; A branch that is the same in all iterations leaves the loop, which then has vectors: a prefix sum of slices, of which
; the first work-item stores all sums and the others the last.
; RUN: %quernc --passes="function(loop-simplify,lcssa,vectorize-loops)" %s | FileCheck %s

; CHECK-LABEL: @block_scan(
; CHECK: br i1 %first
; CHECK: add <{{[0-9]+}} x i32>
; CHECK: ret void
define void @block_scan(ptr noalias %out, ptr noalias %in, i64 %n, i1 %first) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %i.next, %next ]
  %sum = phi i32 [ 0, %entry ], [ %sum.next, %next ]
  %p = getelementptr i32, ptr %in, i64 %i
  %x = load i32, ptr %p
  %sum.next = add i32 %sum, %x
  br i1 %first, label %keep, label %next
keep:
  %q = getelementptr i32, ptr %out, i64 %i
  store i32 %sum.next, ptr %q
  br label %next
next:
  %i.next = add nuw nsw i64 %i, 1
  %more = icmp ult i64 %i.next, %n
  br i1 %more, label %loop, label %exit
exit:
  store i32 %sum.next, ptr %out
  ret void
}
