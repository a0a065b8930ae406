; SPDX-License-Identifier: Apache-2.0
; SPDX-FileCopyrightText: The Quern authors
; One that is accessed in two sizes has a copy for each lane.
; RUN: %quernc --passes="print<private-memory>" %s 2>&1 >/dev/null | FileCheck %s

; CHECK-LABEL: Private memory of 'two_sizes':
; CHECK-NEXT: %array = alloca [16 x i32]{{.*}}: 64 bytes, one lane after the other
define void @two_sizes(ptr noalias %out, i64 %k, i64 %count) {
entry:
  %array = alloca [16 x i32]
  br label %items
items:
  %item = phi i64 [ 0, %entry ], [ %item.next, %items ]
  %a = getelementptr inbounds [16 x i32], ptr %array, i64 0, i64 %k
  store i32 7, ptr %a
  %x = load i16, ptr %a
  %q = getelementptr inbounds i16, ptr %out, i64 %item
  store i16 %x, ptr %q
  %item.next = add nuw nsw i64 %item, 1
  %more = icmp ult i64 %item.next, %count
  br i1 %more, label %items, label %done, !llvm.loop !0
done:
  ret void
}

!0 = distinct !{!0, !1}
!1 = !{!"quern.item-loop"}
