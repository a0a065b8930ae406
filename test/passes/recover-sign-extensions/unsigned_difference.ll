; SPDX-License-Identifier: Apache-2.0
; SPDX-FileCopyrightText: The Quern authors
; `if (x >= 5) a[x - 5]` with an unsigned index: behind the condition the difference does not wrap.
; RUN: %quernc --passes=recover-sign-extensions %s | FileCheck %s

; CHECK-LABEL: @constant(
; CHECK: access:
; CHECK: %[[X:[0-9]+]] = and i64 %x, 4294967295
; CHECK: %index = sub nuw nsw i64 %[[X]], 5
; CHECK: other:
; CHECK: %rest = and i64 %before, 4294967295
define float @constant(i64 %x, ptr %p) {
  %before = add i64 %x, 4294967291
  %narrow = trunc i64 %x to i32
  %ok = icmp ugt i32 %narrow, 4
  br i1 %ok, label %access, label %other
access:
  %index = and i64 %before, 4294967295
  %a = getelementptr float, ptr %p, i64 %index
  %v = load float, ptr %a
  ret float %v
other:
  %rest = and i64 %before, 4294967295
  %b = getelementptr float, ptr %p, i64 %rest
  %w = load float, ptr %b
  ret float %w
}

; CHECK-LABEL: @too_low(
; CHECK: access:
; CHECK-NEXT: %index = and i64 %before, 4294967295
define float @too_low(i64 %x, ptr %p) {
  %before = add i64 %x, 4294967291
  %narrow = trunc i64 %x to i32
  %ok = icmp ugt i32 %narrow, 3
  br i1 %ok, label %access, label %other
access:
  %index = and i64 %before, 4294967295
  %a = getelementptr float, ptr %p, i64 %index
  %v = load float, ptr %a
  ret float %v
other:
  ret float 0.0
}

; CHECK-LABEL: @variable(
; CHECK: access:
; CHECK: %[[X:[0-9]+]] = zext i32 %x to i64
; CHECK: %[[Y:[0-9]+]] = zext i32 %y to i64
; CHECK: %index = sub nuw nsw i64 %[[X]], %[[Y]]
define float @variable(i32 %x, i32 %y, ptr %p) {
  %ok = icmp uge i32 %x, %y
  br i1 %ok, label %access, label %other
access:
  %difference = sub i32 %x, %y
  %index = zext i32 %difference to i64
  %a = getelementptr float, ptr %p, i64 %index
  %v = load float, ptr %a
  ret float %v
other:
  ret float 0.0
}

; A sum, not a difference.
; CHECK-LABEL: @sum(
; CHECK: access:
; CHECK-NEXT: %index = and i64 %after, 4294967295
define float @sum(i64 %x, ptr %p) {
  %after = add i64 %x, 5
  %narrow = trunc i64 %x to i32
  %ok = icmp ugt i32 %narrow, 4
  br i1 %ok, label %access, label %other
access:
  %index = and i64 %after, 4294967295
  %a = getelementptr float, ptr %p, i64 %index
  %v = load float, ptr %a
  ret float %v
other:
  ret float 0.0
}
