; SPDX-License-Identifier: Apache-2.0
; SPDX-FileCopyrightText: The Quern authors
; Sums and products of the counter have strides, what is loaded from there has none.
; RUN: %quernc --passes="print<shapes>" %s 2>&1 >/dev/null | FileCheck %s

; CHECK: UNIFORM: {{ *}}%scaled = mul
; CHECK: STRIDED 2: {{ *}}%twice = shl
; CHECK: STRIDED 8: {{ *}}%p = getelementptr
; CHECK: VARYING: {{ *}}%x = load
define void @linear(ptr %in, i64 %n, ptr %out, i64 %count) {
entry:
  br label %items
items:
  %item = phi i64 [ 0, %entry ], [ %item.next, %next ]
  %scaled = mul i64 %n, 3
  %twice = shl nuw nsw i64 %item, 1
  %p = getelementptr inbounds float, ptr %in, i64 %twice
  %x = load float, ptr %p
  %q = getelementptr inbounds float, ptr %out, i64 %scaled
  store float %x, ptr %q
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
