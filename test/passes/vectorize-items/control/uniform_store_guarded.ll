; SPDX-License-Identifier: Apache-2.0
; SPDX-FileCopyrightText: The Quern authors
; A store to one address must not run where no lane is active.
; RUN: %quernc --passes="vectorize-items<width=8>,sroa" %s | FileCheck %s

; CHECK-LABEL: @uniform_store_guarded(
; CHECK: %[[BITS:.*]] = bitcast <8 x i1> %{{.*}} to i8
; CHECK: %[[ANY:.*]] = icmp ne i8 %[[BITS]], 0
; CHECK: br i1 %[[ANY]], label %then.wide, label %next.wide
; CHECK: then.wide:
; CHECK: store i32 1, ptr %out
define void @uniform_store_guarded(ptr noalias %in, ptr noalias %out, i64 %count) {
entry:
  br label %items
items:
  %item = phi i64 [ 0, %entry ], [ %item.next, %next ]
  %p = getelementptr inbounds i32, ptr %in, i64 %item
  %x = load i32, ptr %p
  %c = icmp sgt i32 %x, 100
  br i1 %c, label %then, label %next
then:
  store i32 1, ptr %out
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
