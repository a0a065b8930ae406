; SPDX-License-Identifier: Apache-2.0
; SPDX-FileCopyrightText: The Quern authors
; A loop that all work-items leave together keeps its exit where it was.
; RUN: %quernc --passes="canonicalize-items" %s | FileCheck %s

; CHECK-LABEL: @uniform_loop(
; CHECK-NOT: phi i1
; CHECK: %[[END:.*]] = icmp eq i32 %{{.*}}, %n
; CHECK-NEXT: br i1 %[[END]]
; CHECK: ret void
define void @uniform_loop(ptr noalias %out, i32 %n, i64 %count) {
entry:
  br label %items
items:
  %item = phi i64 [ 0, %entry ], [ %item.next, %next ]
  br label %loop
loop:
  %i = phi i32 [ 0, %items ], [ %i.next, %body ]
  %sum = phi i32 [ 0, %items ], [ %sum.next, %body ]
  %end = icmp eq i32 %i, %n
  br i1 %end, label %next, label %body
body:
  %i.next = add i32 %i, 1
  %square = mul i32 %i, %i
  %sum.next = add i32 %sum, %square
  br label %loop
next:
  %q = getelementptr inbounds i32, ptr %out, i64 %item
  store i32 %sum, ptr %q
  %item.next = add nuw nsw i64 %item, 1
  %more = icmp ult i64 %item.next, %count
  br i1 %more, label %items, label %done, !llvm.loop !0
done:
  ret void
}

!0 = distinct !{!0, !1}
!1 = !{!"quern.item-loop"}
