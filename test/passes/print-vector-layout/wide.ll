; SPDX-License-Identifier: Apache-2.0
; SPDX-FileCopyrightText: The Quern authors
; More components than OpenCL C has vectors of.
; RUN: %quernc --passes="print<vector-layout>" %s 2>&1 >/dev/null | FileCheck %s

; CHECK-LABEL: Vector layout of 'wide':
; CHECK: SOA: {{.*}} load <32 x i8>
; CHECK-NOT: AOS
define void @wide(ptr noalias %in, ptr noalias %out, i32 %n, i64 %count) {
entry:
  br label %items
items:
  %item = phi i64 [ 0, %entry ], [ %item.next, %next ]
  %p = getelementptr inbounds <32 x i8>, ptr %in, i64 %item
  %x = load <32 x i8>, ptr %p, align 4
  br label %loop
loop:
  %k = phi i32 [ 0, %items ], [ %k.next, %loop ]
  %a = phi <32 x i8> [ %x, %items ], [ %y, %loop ]
  %y = add <32 x i8> %a, %x
  %k.next = add i32 %k, 1
  %again = icmp ult i32 %k.next, %n
  br i1 %again, label %loop, label %next
next:
  %q = getelementptr inbounds <32 x i8>, ptr %out, i64 %item
  store <32 x i8> %y, ptr %q, align 4
  %item.next = add nuw nsw i64 %item, 1
  %more = icmp ult i64 %item.next, %count
  br i1 %more, label %items, label %done, !llvm.loop !0
done:
  ret void
}

!0 = distinct !{!0, !1}
!1 = !{!"quern.item-loop"}
