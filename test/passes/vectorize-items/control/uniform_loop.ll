; SPDX-License-Identifier: Apache-2.0
; SPDX-FileCopyrightText: The Quern authors
; A loop that all lanes leave together has no mask of its own.
; RUN: %quernc --passes="vectorize-items<width=8>,sroa" %s | FileCheck %s

; CHECK-LABEL: @uniform_loop(
; CHECK-NOT: phi <8 x i1>
; CHECK: mul <8 x i32>
; CHECK: %[[AGAIN:.*]] = icmp ult i32 %{{.*}}, %n
; CHECK-NEXT: br i1 %[[AGAIN]]
define void @uniform_loop(ptr noalias %in, ptr noalias %out, i32 %n, i64 %count) {
entry:
  br label %items
items:
  %item = phi i64 [ 0, %entry ], [ %item.next, %next ]
  %p = getelementptr inbounds i32, ptr %in, i64 %item
  %x = load i32, ptr %p
  br label %loop
loop:
  %k = phi i32 [ 0, %items ], [ %k.next, %loop ]
  %a = phi i32 [ %x, %items ], [ %a.next, %loop ]
  %a.next = mul i32 %a, %x
  %k.next = add i32 %k, 1
  %again = icmp ult i32 %k.next, %n
  br i1 %again, label %loop, label %next
next:
  %q = getelementptr inbounds i32, ptr %out, i64 %item
  store i32 %a.next, ptr %q
  %item.next = add nuw nsw i64 %item, 1
  %more = icmp ult i64 %item.next, %count
  br i1 %more, label %items, label %done, !llvm.loop !0
done:
  ret void
}

!0 = distinct !{!0, !1}
!1 = !{!"quern.item-loop"}
