; SPDX-License-Identifier: Apache-2.0
; SPDX-FileCopyrightText: The Quern authors
; An argument that 1,100 constants are added to: the second and the third 512 of its uses get copies, in the entry.
; RUN: awk 'BEGIN { print "define void @f(ptr %out, i32 %x) {"; \
; RUN:   for (; ++i <= 1100;) { print " %v" i " = add i32 %x, " i; \
; RUN:   print " store volatile i32 %v" i ", ptr %out" }; print " ret void }" }' >%t.ll
; RUN: %quernc --passes=divide-uses %t.ll | FileCheck %s

; CHECK-LABEL: @f(ptr %out, i32 %x)
; CHECK-NEXT: %[[THIRD:.*]] = call i32 asm "", "=r,0"(i32 %x)
; CHECK-NEXT: %[[SECOND:.*]] = call i32 asm "", "=r,0"(i32 %x)
; CHECK-NEXT: add i32 %x, 1
; CHECK: add i32 %x, 512
; CHECK: add i32 %[[SECOND]], 513
; CHECK: add i32 %[[SECOND]], 1024
; CHECK: add i32 %[[THIRD]], 1025
; CHECK: add i32 %[[THIRD]], 1100
