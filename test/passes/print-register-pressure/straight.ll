; SPDX-License-Identifier: Apache-2.0
; SPDX-FileCopyrightText: The Quern authors
; The operands of a sum are live together, its result alone.
; RUN: %quernc --passes="print<register-pressure>" %s 2>&1 >/dev/null | FileCheck %s

; CHECK-LABEL: Register pressure of 'straight', 32 vector registers:
; CHECK-NEXT: entry: 2 live, 0 % of operands spilled
define i32 @straight(ptr %p, ptr %q) {
entry:
  %a = load i32, ptr %p
  %b = load i32, ptr %q
  %ab = add i32 %a, %b
  ret i32 %ab
}
