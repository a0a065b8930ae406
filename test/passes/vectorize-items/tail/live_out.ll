; SPDX-License-Identifier: Apache-2.0
; SPDX-FileCopyrightText: The Quern authors
; What is used after the loop is the last vector's.
; RUN: %quernc --passes="vectorize-items<width=8>" %s | FileCheck %s

; CHECK-LABEL: @live_out(
; CHECK: %[[LAST:.*]] = extractelement <8 x i32> %{{.*}}, i64 0
; CHECK: phi i32 {{.*}}[ %[[LAST]], %masked.latch ]
define i32 @live_out(ptr noalias %in, i64 %count) {
entry:
  br label %items
items:
  %item = phi i64 [ 0, %entry ], [ %item.next, %items ]
  %p = getelementptr inbounds i32, ptr %in, i64 %item
  %x = load i32, ptr %p
  %y = add i32 %x, 1
  %item.next = add nuw nsw i64 %item, 1
  %more = icmp ult i64 %item.next, %count
  br i1 %more, label %items, label %done, !llvm.loop !0
done:
  %r = phi i32 [ %y, %items ]
  ret i32 %r
}

!0 = distinct !{!0, !1}
!1 = !{!"quern.item-loop"}
