; SPDX-License-Identifier: Apache-2.0
; SPDX-FileCopyrightText: The Quern authors
; A value of a loop: its copies are made in the loop, behind all phis, and the phis that come back to it may use them.
; RUN: awk 'BEGIN { print "define void @f(ptr %out, i32 %n) {\nentry:\n br label %loop\nloop:"; \
; RUN:   print " %x = phi i32 [ 0, %entry ], [ %last, %loop ]\n %old = phi i32 [ 0, %entry ], [ %x, %loop ]"; \
; RUN:   for (; ++i <= 1100;) { print " %v" i " = add i32 %x, " i; print " store volatile i32 %v" i ", ptr %out" } \
; RUN:   print " %last = xor i32 %v7, %old\n %more = icmp ult i32 %last, %n"; \
; RUN:   print " br i1 %more, label %loop, label %exit\nexit:\n ret void }" }' >%t.ll
; RUN: %quernc --passes=divide-uses %t.ll | FileCheck %s

; CHECK: loop:
; CHECK-NEXT: %x = phi i32 [ 0, %entry ], [ %last, %loop ]
; CHECK-NEXT: %old = phi i32 [ 0, %entry ], [ %x, %loop ]
; CHECK-NEXT: %[[THIRD:.*]] = call i32 asm "", "=r,0"(i32 %x)
; CHECK-NEXT: %[[SECOND:.*]] = call i32 asm "", "=r,0"(i32 %x)
; CHECK: add i32 %x, 511
; CHECK: add i32 %[[SECOND]], 512
; CHECK: add i32 %[[THIRD]], 1100
