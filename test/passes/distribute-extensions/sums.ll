; SPDX-License-Identifier: Apache-2.0
; SPDX-FileCopyrightText: The Quern authors
; Sums and differences that do not overflow become 64-bit ones.
; RUN: %quernc --passes=distribute-extensions %s | FileCheck %s

; CHECK-LABEL: @nested(
; CHECK-NEXT: %[[X:.*]] = sext i32 %x to i64
; CHECK-NEXT: %[[Y:.*]] = sext i32 %y to i64
; CHECK: %[[DIFFERENCE:.*]] = sub nsw i64 %[[X]], %[[Y]]
; CHECK-NEXT: %index = add nsw i64 %[[DIFFERENCE]], -3
; CHECK-NEXT: getelementptr float, ptr %a, i64 %index
define ptr @nested(ptr %a, i32 %x, i32 %y) {
  %difference = sub nsw i32 %x, %y
  %sum = add nsw i32 %difference, -3
  %index = sext i32 %sum to i64
  %address = getelementptr float, ptr %a, i64 %index
  ret ptr %address
}

; What else uses the narrow sum keeps it.
; CHECK-LABEL: @compared(
; CHECK: %sum = add nsw i32 %x, 1
; CHECK: icmp slt i32 %sum, %n
; CHECK: %[[X:.*]] = sext i32 %x to i64
; CHECK: %index = add nsw i64 %[[X]], 1
define ptr @compared(ptr %a, i32 %x, i32 %n) {
  %sum = add nsw i32 %x, 1
  %is_inside = icmp slt i32 %sum, %n
  %index = sext i32 %sum to i64
  %address = getelementptr float, ptr %a, i64 %index
  %checked = select i1 %is_inside, ptr %address, ptr null
  ret ptr %checked
}

; What a sum shares is written once.
; CHECK-LABEL: @shared(
; CHECK: %[[X:.*]] = sext i32 %x to i64
; CHECK-NEXT: %[[TWO:.*]] = add nsw i64 %[[X]], %[[X]]
; CHECK-NEXT: %[[FOUR:.*]] = add nsw i64 %[[TWO]], %[[TWO]]
; CHECK-NEXT: %index = add nsw i64 %[[FOUR]], %[[FOUR]]
; CHECK-NEXT: getelementptr
define ptr @shared(ptr %a, i32 %x) {
  %two = add nsw i32 %x, %x
  %four = add nsw i32 %two, %two
  %eight = add nsw i32 %four, %four
  %index = sext i32 %eight to i64
  %address = getelementptr float, ptr %a, i64 %index
  ret ptr %address
}

; InstCombine makes a disjoint or of a sum.
; CHECK-LABEL: @disjoint(
; CHECK: %[[X:.*]] = sext i32 %x to i64
; CHECK-NEXT: %[[FOUR:.*]] = shl nsw i64 %[[X]], 2
; CHECK-NEXT: %index = add nsw i64 %[[FOUR]], 1
define ptr @disjoint(ptr %a, i32 %x) {
  %four = shl nsw i32 %x, 2
  %sum = or disjoint i32 %four, 1
  %index = sext i32 %sum to i64
  %address = getelementptr float, ptr %a, i64 %index
  ret ptr %address
}
