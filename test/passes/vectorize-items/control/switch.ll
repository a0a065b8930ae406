; SPDX-License-Identifier: Apache-2.0
; SPDX-FileCopyrightText: The Quern authors
; A switch is a mask for each case.
; RUN: %quernc --passes="vectorize-items<width=8>,sroa" %s | FileCheck %s

; CHECK-LABEL: @switch(
; CHECK-DAG: icmp eq <8 x i32> %{{.*}}, splat (i32 1)
; CHECK-DAG: icmp eq <8 x i32> %{{.*}}, splat (i32 2)
; CHECK: select <8 x i1>
define void @switch(ptr noalias %in, ptr noalias %out, i64 %count) {
entry:
  br label %items
items:
  %item = phi i64 [ 0, %entry ], [ %item.next, %next ]
  %p = getelementptr inbounds i32, ptr %in, i64 %item
  %n = load i32, ptr %p
  switch i32 %n, label %next [
    i32 1, label %a
    i32 2, label %b
  ]
a:
  br label %next
b:
  br label %next
next:
  %result = phi i32 [ 0, %items ], [ 10, %a ], [ 20, %b ]
  %q = getelementptr inbounds i32, ptr %out, i64 %item
  store i32 %result, ptr %q
  %item.next = add nuw nsw i64 %item, 1
  %more = icmp ult i64 %item.next, %count
  br i1 %more, label %items, label %done, !llvm.loop !0
done:
  ret void
}

!0 = distinct !{!0, !1}
!1 = !{!"quern.item-loop"}
