; SPDX-License-Identifier: Apache-2.0
; SPDX-FileCopyrightText: The Quern authors
; So has one whose address is passed on.
; RUN: %quernc --passes="print<private-memory>" %s 2>&1 >/dev/null | FileCheck %s

; CHECK-LABEL: Private memory of 'escapes':
; CHECK-NEXT: %array = alloca [4 x i64]{{.*}}: 32 bytes, one lane after the other
; CHECK-NEXT: %other = alloca i32{{.*}}: 4 bytes, elements of 4 bytes interleaved
; CHECK-NEXT: all variables of one lane: 36 bytes
define void @escapes(ptr noalias %out, i64 %k, i64 %count) {
entry:
  %array = alloca [4 x i64]
  %other = alloca i32
  br label %items
items:
  %item = phi i64 [ 0, %entry ], [ %item.next, %items ]
  call void @use(ptr %array)
  store i32 1, ptr %other
  %x = load i32, ptr %other
  %q = getelementptr inbounds i32, ptr %out, i64 %item
  store i32 %x, ptr %q
  %item.next = add nuw nsw i64 %item, 1
  %more = icmp ult i64 %item.next, %count
  br i1 %more, label %items, label %done, !llvm.loop !0
done:
  ret void
}

declare void @use(ptr)

!0 = distinct !{!0, !1}
!1 = !{!"quern.item-loop"}
