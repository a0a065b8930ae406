; SPDX-License-Identifier: Apache-2.0
; SPDX-FileCopyrightText: The Quern authors
; What leaves the loop over work-items may be a narrow value at the exit of an inner loop whose lanes leave one by one:
; it is computed on the exit edge there, and the phi behind it is the last work-item's.
; RUN: %quernc --passes="vectorize-items<width=8>" %s | FileCheck %s

; CHECK-LABEL: @last(
; CHECK: %[[NARROW:.*]] = trunc <8 x i64> %{{.*}} to <8 x i32>
; CHECK: %[[LAST:.*]] = extractelement <8 x i32>
; CHECK: phi i32 {{.*}}[ %[[LAST]], %
define i32 @last(ptr noalias %in, ptr noalias %out, i64 %count) {
entry:
  br label %items
items:
  %item = phi i64 [ 0, %entry ], [ %item.next, %next ]
  %p = getelementptr inbounds i64, ptr %in, i64 %item
  %x = load i64, ptr %p
  br label %loop
loop:
  %v = phi i64 [ %x, %items ], [ %v.next, %loop ]
  %v.next = lshr i64 %v, 3
  %again = icmp ugt i64 %v.next, 100
  br i1 %again, label %loop, label %next
next:
  %n = trunc i64 %v.next to i32
  %q = getelementptr inbounds i32, ptr %out, i64 %item
  store i32 5, ptr %q
  %item.next = add nuw nsw i64 %item, 1
  %more = icmp ult i64 %item.next, %count
  br i1 %more, label %items, label %done, !llvm.loop !0
done:
  %r = phi i32 [ %n, %next ]
  ret i32 %r
}

!0 = distinct !{!0, !1}
!1 = !{!"quern.item-loop"}
