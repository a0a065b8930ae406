; SPDX-License-Identifier: Apache-2.0
; SPDX-FileCopyrightText: The Quern authors
; What is made of a work-item's place is divergent, sizes and parameters are not.
; RUN: %quernc --passes="print<divergence>" %s 2>&1 >/dev/null | FileCheck %s

; CHECK: Divergence of 'ids':
; CHECK-NEXT: block entry{{$}}
; CHECK-NEXT: DIVERGENT: {{ *}}%id = call
; CHECK-NEXT: DIVERGENT: {{ *}}%sum = add
; CHECK-NEXT: DIVERGENT: {{ *}}ret i64 %sum
; CHECK-NOT: DIVERGENT
define i64 @ids(i64 %n) {
entry:
  %id = call i64 @_Z13get_global_idj(i32 0)
  %size = call i64 @_Z14get_local_sizej(i32 0)
  %product = mul i64 %size, %n
  %sum = add i64 %id, %product
  ret i64 %sum
}

declare i64 @_Z13get_global_idj(i32)
declare i64 @_Z14get_local_sizej(i32)
