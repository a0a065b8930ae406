; SPDX-License-Identifier: Apache-2.0
; SPDX-FileCopyrightText: The Quern authors
; LLVM's LoopVectorize may compute an invariant division under a condition only if a vector's first lane is active. Such
; a loop stays as it is; one whose division is executed in each iteration, or cannot trap, does not.
; RUN: %quernc --passes="function(loop-simplify,lcssa,vectorize-loops)" %s | FileCheck %s

; CHECK-LABEL: @conditional(
; CHECK-NOT: <{{[0-9]+}} x i32>
; CHECK: ret void
; CHECK-LABEL: @always(
; CHECK: store <{{[0-9]+}} x i32>
; CHECK: ret void
; CHECK-LABEL: @constant(
; CHECK: store <{{[0-9]+}} x i32>
; CHECK: ret void

define void @conditional(ptr noalias %out, ptr noalias %in, i32 %a, i32 %b) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %i.next, %next ]
  %p = getelementptr i32, ptr %in, i64 %i
  %x = load i32, ptr %p
  %test = icmp eq i32 %x, 7
  br i1 %test, label %divide, label %next
divide:
  %quotient = urem i32 %a, %b
  br label %next
next:
  %y = phi i32 [ %x, %loop ], [ %quotient, %divide ]
  %q = getelementptr i32, ptr %out, i64 %i
  store i32 %y, ptr %q
  %i.next = add nuw nsw i64 %i, 1
  %more = icmp ult i64 %i.next, 1024
  br i1 %more, label %loop, label %exit
exit:
  ret void
}

define void @always(ptr noalias %out, ptr noalias %in, i32 %a, i32 %b) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %i.next, %loop ]
  %p = getelementptr i32, ptr %in, i64 %i
  %x = load i32, ptr %p
  %quotient = urem i32 %a, %b
  %y = add i32 %x, %quotient
  %q = getelementptr i32, ptr %out, i64 %i
  store i32 %y, ptr %q
  %i.next = add nuw nsw i64 %i, 1
  %more = icmp ult i64 %i.next, 1024
  br i1 %more, label %loop, label %exit
exit:
  ret void
}

define void @constant(ptr noalias %out, ptr noalias %in, i32 %a) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %i.next, %next ]
  %p = getelementptr i32, ptr %in, i64 %i
  %x = load i32, ptr %p
  %test = icmp eq i32 %x, 7
  br i1 %test, label %divide, label %next
divide:
  %quotient = urem i32 %a, 3
  br label %next
next:
  %y = phi i32 [ %x, %loop ], [ %quotient, %divide ]
  %q = getelementptr i32, ptr %out, i64 %i
  store i32 %y, ptr %q
  %i.next = add nuw nsw i64 %i, 1
  %more = icmp ult i64 %i.next, 1024
  br i1 %more, label %loop, label %exit
exit:
  ret void
}
