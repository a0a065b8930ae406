; SPDX-License-Identifier: Apache-2.0
; SPDX-FileCopyrightText: The Quern authors
; An array with accesses of one size lies element by element.
; RUN: %quernc --passes="print<private-memory>" %s 2>&1 >/dev/null | FileCheck %s

; CHECK-LABEL: Private memory of 'interleaved':
; CHECK-NEXT: %array = alloca [16 x i32]{{.*}}: 64 bytes, elements of 4 bytes interleaved
; CHECK-NEXT: all variables of one lane: 64 bytes
define void @interleaved(ptr noalias %out, i64 %k, i64 %count) {
entry:
  %array = alloca [16 x i32]
  br label %items
items:
  %item = phi i64 [ 0, %entry ], [ %item.next, %items ]
  %a = getelementptr inbounds [16 x i32], ptr %array, i64 0, i64 %k
  store i32 7, ptr %a
  %x = load i32, ptr %a
  %q = getelementptr inbounds i32, ptr %out, i64 %item
  store i32 %x, ptr %q
  %item.next = add nuw nsw i64 %item, 1
  %more = icmp ult i64 %item.next, %count
  br i1 %more, label %items, label %done, !llvm.loop !0
done:
  ret void
}

!0 = distinct !{!0, !1}
!1 = !{!"quern.item-loop"}
