; SPDX-License-Identifier: Apache-2.0
; SPDX-FileCopyrightText: The Quern authors
; The extension of a narrow index that is made from a quotient and a remainder: no-wrap flags prove that it has the
; index's stride where both are in one block.
; RUN: %quernc --passes="print<shapes>" %s 2>&1 >/dev/null | FileCheck %s

; CHECK: STRIDED 0: {{ *}}%quotient = sdiv
; CHECK: STRIDED 0: {{ *}}%scaled = mul
; CHECK: STRIDED 1: {{ *}}%index = add
; CHECK: STRIDED 1: {{ *}}%extended = sext
define void @quotient(ptr %in, i64 %count) {
entry:
  br label %items
items:
  %item = phi i64 [ 0, %entry ], [ %item.next, %next ]
  %narrow = trunc i64 %item to i32
  %quotient = sdiv i32 %narrow, 16
  %scaled = mul nsw i32 %quotient, 20
  %remainder = srem i32 %narrow, 16
  %index = add nsw i32 %scaled, %remainder
  %extended = sext i32 %index to i64
  %p = getelementptr inbounds float, ptr %in, i64 %extended
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
