; SPDX-License-Identifier: Apache-2.0
; SPDX-FileCopyrightText: The Quern authors
; Within one register nothing is wrong.
; RUN: %quernc --passes=fix-byte-shuffles %s | FileCheck %s

; CHECK-LABEL: @one_register(
; CHECK: <64 x i32> <i32 0, i32 poison, i32 1, i32 poison,
define <64 x i8> @one_register(<64 x i8> %x) {
  %y = shufflevector <64 x i8> %x, <64 x i8> poison, <64 x i32> <
    i32 0, i32 poison, i32 1, i32 poison, i32 2, i32 poison, i32 3, i32 poison,
    i32 4, i32 poison, i32 5, i32 poison, i32 6, i32 poison, i32 7, i32 poison,
    i32 8, i32 poison, i32 9, i32 poison, i32 10, i32 poison, i32 11, i32 poison,
    i32 12, i32 poison, i32 13, i32 poison, i32 14, i32 poison, i32 15, i32 poison,
    i32 16, i32 poison, i32 17, i32 poison, i32 18, i32 poison, i32 19, i32 poison,
    i32 20, i32 poison, i32 21, i32 poison, i32 22, i32 poison, i32 23, i32 poison,
    i32 24, i32 poison, i32 25, i32 poison, i32 26, i32 poison, i32 27, i32 poison,
    i32 28, i32 poison, i32 29, i32 poison, i32 30, i32 poison, i32 31, i32 poison
  >
  ret <64 x i8> %y
}
