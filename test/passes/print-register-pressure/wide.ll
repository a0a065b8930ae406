; SPDX-License-Identifier: Apache-2.0
; SPDX-FileCopyrightText: The Quern authors
; A vector of four registers counts as four; more than the machine has are spilled.
; RUN: %quernc --passes="print<register-pressure>" %s 2>&1 >/dev/null | FileCheck %s

; CHECK-LABEL: Register pressure of 'wide', 32 vector registers:
; CHECK-NEXT: entry: 72 live, 55 % of operands spilled
define <64 x i32> @wide(ptr %p) {
entry:
  %p0 = getelementptr i8, ptr %p, i64 0
  %v0 = load <64 x i32>, ptr %p0
  %p1 = getelementptr i8, ptr %p, i64 256
  %v1 = load <64 x i32>, ptr %p1
  %p2 = getelementptr i8, ptr %p, i64 512
  %v2 = load <64 x i32>, ptr %p2
  %p3 = getelementptr i8, ptr %p, i64 768
  %v3 = load <64 x i32>, ptr %p3
  %p4 = getelementptr i8, ptr %p, i64 1024
  %v4 = load <64 x i32>, ptr %p4
  %p5 = getelementptr i8, ptr %p, i64 1280
  %v5 = load <64 x i32>, ptr %p5
  %p6 = getelementptr i8, ptr %p, i64 1536
  %v6 = load <64 x i32>, ptr %p6
  %p7 = getelementptr i8, ptr %p, i64 1792
  %v7 = load <64 x i32>, ptr %p7
  %p8 = getelementptr i8, ptr %p, i64 2048
  %v8 = load <64 x i32>, ptr %p8
  %s0 = add <64 x i32> %v0, %v8
  %s1 = add <64 x i32> %s0, %v1
  %s2 = add <64 x i32> %s1, %v2
  %s3 = add <64 x i32> %s2, %v3
  %s4 = add <64 x i32> %s3, %v4
  %s5 = add <64 x i32> %s4, %v5
  %s6 = add <64 x i32> %s5, %v6
  %s7 = add <64 x i32> %s6, %v7
  %s8 = add <64 x i32> %s7, %v8
  ret <64 x i32> %s8
}
