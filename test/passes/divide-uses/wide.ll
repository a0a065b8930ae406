; SPDX-License-Identifier: Apache-2.0
; SPDX-FileCopyrightText: The Quern authors
; 64 bits are added to in the register that they are in, and other operations make no LEA.
; RUN: awk 'BEGIN { print "define void @f(ptr %out, i64 %x, i32 %y) {"; \
; RUN:   for (; ++i <= 1100;) { \
; RUN:   print " %v" i " = add i64 %x, " i; print " store volatile i64 %v" i ", ptr %out"; \
; RUN:   print " %w" i " = xor i32 %y, " i; print " store volatile i32 %w" i ", ptr %out" }; \
; RUN:   print " ret void }" }' >%t.ll
; RUN: %quernc --passes=divide-uses %t.ll | FileCheck %s

; CHECK-LABEL: @f(ptr %out, i64 %x, i32 %y)
; CHECK-NOT: asm
; CHECK: add i64 %x, 1100
; CHECK: xor i32 %y, 1100
