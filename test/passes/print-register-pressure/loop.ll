; SPDX-License-Identifier: Apache-2.0
; SPDX-FileCopyrightText: The Quern authors
; What is used behind a loop is live throughout it.
; RUN: %quernc --passes="print<register-pressure>" %s 2>&1 >/dev/null | FileCheck %s

; CHECK-LABEL: Register pressure of 'loop', 32 vector registers:
; CHECK-NEXT: entry: 2 live
; CHECK-NEXT: loop: {{[3-5]}} live
; CHECK-NEXT: exit: 2 live
define i32 @loop(ptr %p, i32 %n) {
entry:
  %a = load i32, ptr %p
  %b = mul i32 %a, 3
  br label %loop
loop:
  %k = phi i32 [ 0, %entry ], [ %k.next, %loop ]
  %k.next = add i32 %k, %b
  %more = icmp ult i32 %k.next, %n
  br i1 %more, label %loop, label %exit
exit:
  %r = add i32 %k.next, %a
  ret i32 %r
}
