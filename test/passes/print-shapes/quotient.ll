; SPDX-License-Identifier: Apache-2.0
; SPDX-FileCopyrightText: The Quern authors
; The aligned block that an index is in is the same for all lanes of a vector in it, as a number, a start or a quotient
; of integers; the position in the block grows with the index. In blocks of two items there is no vector.
; RUN: %quernc --passes="print<shapes>" %s 2>&1 >/dev/null | FileCheck %s

; CHECK: STRIDED 0: {{ *}}%number = lshr
; CHECK: STRIDED 0: {{ *}}%start = and
; CHECK: STRIDED 1: {{ *}}%position = and
; CHECK: STRIDED 0: {{ *}}%quotient = sdiv
; CHECK: STRIDED 1: {{ *}}%remainder = srem
; CHECK: VARYING: {{ *}}%pair = lshr
; CHECK: VARYING: {{ *}}%third = sdiv
; CHECK: STRIDED 0: {{ *}}%scaled = mul
; CHECK: STRIDED 1: {{ *}}%index = add
; CHECK: STRIDED 4: {{ *}}%p = getelementptr
define void @quotient(ptr %in, i64 %count) {
entry:
  br label %items
items:
  %item = phi i64 [ 0, %entry ], [ %item.next, %next ]
  %number = lshr i64 %item, 4
  %start = and i64 %item, -32
  %position = and i64 %item, 15
  %quotient = sdiv i64 %item, 64
  %remainder = srem i64 %item, 64
  %pair = lshr i64 %item, 1
  %third = sdiv i64 %item, 3
  %scaled = mul i64 %number, 20
  %index = add i64 %scaled, %position
  %p = getelementptr inbounds float, ptr %in, i64 %index
  store float 0.0, ptr %p
  br label %next
next:
  %item.next = add nuw nsw i64 %item, 1
  %more = icmp ult i64 %item.next, %count
  br i1 %more, label %items, label %done, !llvm.loop !0
done:
  ret void
}

!0 = distinct !{!0, !1}
!1 = !{!"quern.item-loop"}
