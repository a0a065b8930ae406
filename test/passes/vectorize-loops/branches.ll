; SPDX-License-Identifier: Apache-2.0
; SPDX-FileCopyrightText: The Quern authors
; LoopVectorize does not get a loop with very many branches, even where the program asks for vectors: a switch counts
; as the blocks that it is lowered to.
; RUN: awk '{ if ($1 == "cases") for (i = 1; i <= $2; i++) print "i32 " i ", label " $3; else print }' %s > %t
; RUN: %quernc --passes="function(loop-simplify,lcssa,vectorize-loops)" %t | FileCheck %s

; CHECK-LABEL: @few(
; CHECK: store <{{[0-9]+}} x i32>
; CHECK: ret void
; CHECK-LABEL: @many(
; CHECK-NOT: <{{[0-9]+}} x i32>
; CHECK: ret void

define void @few(ptr noalias %out, ptr noalias %in) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %i.next, %next ]
  %p = getelementptr i32, ptr %in, i64 %i
  %x = load i32, ptr %p
  switch i32 %x, label %next [
  cases 5 %change
  ]
change:
  %changed = mul i32 %x, 7
  br label %next
next:
  %y = phi i32 [ %x, %loop ], [ %changed, %change ]
  %q = getelementptr i32, ptr %out, i64 %i
  store i32 %y, ptr %q
  %i.next = add nuw nsw i64 %i, 1
  %more = icmp ult i64 %i.next, 1024
  br i1 %more, label %loop, label %exit, !llvm.loop !0
exit:
  ret void
}

define void @many(ptr noalias %out, ptr noalias %in) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %i.next, %next ]
  %p = getelementptr i32, ptr %in, i64 %i
  %x = load i32, ptr %p
  switch i32 %x, label %next [
  cases 300 %change
  ]
change:
  %changed = mul i32 %x, 7
  br label %next
next:
  %y = phi i32 [ %x, %loop ], [ %changed, %change ]
  %q = getelementptr i32, ptr %out, i64 %i
  store i32 %y, ptr %q
  %i.next = add nuw nsw i64 %i, 1
  %more = icmp ult i64 %i.next, 1024
  br i1 %more, label %loop, label %exit, !llvm.loop !0
exit:
  ret void
}

!0 = distinct !{!0, !1}
!1 = !{!"llvm.loop.vectorize.enable", i1 true}
