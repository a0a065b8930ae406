; SPDX-License-Identifier: Apache-2.0
; SPDX-FileCopyrightText: The Quern authors
; A counter is written again and again: the loop is there to take time.
; RUN: %quernc --passes=drop-private-volatile %s | FileCheck %s

; CHECK-LABEL: @kernel(
; CHECK: store volatile i32 0
; CHECK: load volatile i32
; CHECK: store volatile i32
define void @kernel() {
  %counter = alloca i32
  store volatile i32 0, ptr %counter
  br label %loop
loop:
  %old = load volatile i32, ptr %counter
  %new = add i32 %old, 1
  store volatile i32 %new, ptr %counter
  %more = icmp slt i32 %new, 20000
  br i1 %more, label %loop, label %done
done:
  ret void
}
