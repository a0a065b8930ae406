; SPDX-License-Identifier: Apache-2.0
; SPDX-FileCopyrightText: The Quern authors
; The number may be made from the counter by sums and constant factors.
; RUN: %quernc --passes="print<item-bound>" %s 2>&1 >/dev/null | FileCheck %s

; CHECK-LABEL: Item bound of 'operations':
; CHECK-NEXT: bound (signed) i64 %n, stride 4, body on true, by %number = add nuw nsw i64 %four, %first, by %four = shl
define void @operations(ptr noalias %out, i64 %first, i64 %n, i64 %count) {
entry:
  br label %items
items:
  %item = phi i64 [ 0, %entry ], [ %item.next, %next ]
  %four = shl nuw nsw i64 %item, 2
  %number = add nuw nsw i64 %four, %first
  %inside = icmp slt i64 %number, %n
  br i1 %inside, label %body, label %next
body:
  %q = getelementptr inbounds i32, ptr %out, i64 %item
  store i32 7, ptr %q
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
