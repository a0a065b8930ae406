; SPDX-License-Identifier: Apache-2.0
; SPDX-FileCopyrightText: The Quern authors
; Several cases of a switch come from one block, with one value.
; RUN: %quernc --passes=narrow-recurrences %s | FileCheck %s

; CHECK-LABEL: @cases(
; CHECK: [[A:%.*]] = trunc i64 %a to i32
; CHECK-NOT: trunc i64 %a
; CHECK: phi i32 [ [[A]], %entry ], [ [[A]], %entry ], [ [[A]], %entry ], [ {{%.*}}, %other ]
define i64 @cases(i64 %a, i64 %b, i32 %k) {
entry:
  switch i32 %k, label %other [
    i32 1, label %merge
    i32 5, label %merge
    i32 9, label %merge
  ]
other:
  br label %merge
merge:
  %v = phi i64 [ %a, %entry ], [ %a, %entry ], [ %a, %entry ], [ %b, %other ]
  %m = and i64 %v, 4294967295
  ret i64 %m
}
