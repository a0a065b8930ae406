; SPDX-License-Identifier: Apache-2.0
; SPDX-FileCopyrightText: The Quern authors
; As many additions as kernels may have that nobody has generated: no copy.
; RUN: awk 'BEGIN { print "define void @f(ptr %out, i32 %x) {"; \
; RUN:   for (; ++i <= 1024;) { print " %v" i " = add i32 %x, " i; \
; RUN:   print " store volatile i32 %v" i ", ptr %out" }; print " ret void }" }' >%t.ll
; RUN: %quernc --passes=divide-uses %t.ll | FileCheck %s

; CHECK-LABEL: @f(ptr %out, i32 %x)
; CHECK-NOT: asm
; CHECK: add i32 %x, 1024
