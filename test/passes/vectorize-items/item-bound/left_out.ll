; SPDX-License-Identifier: Apache-2.0
; SPDX-FileCopyrightText: The Quern authors
; Without the bound it is a mask.
; RUN: %quernc --passes="vectorize-items<width=8;no-item-bound>" %s | FileCheck %s

; CHECK-LABEL: @left_out(
; CHECK-NOT: @llvm.umin
; CHECK: %[[INSIDE:.*]] = icmp ult <8 x i64> %{{.*}}, %
; CHECK: select <8 x i1> %{{.*}}, <8 x i1> %[[INSIDE]], <8 x i1> zeroinitializer
define void @left_out(ptr noalias %out, i64 %n, i64 %count) {
entry:
  br label %items
items:
  %item = phi i64 [ 0, %entry ], [ %item.next, %next ]
  %inside = icmp ult i64 %item, %n
  br i1 %inside, label %body, label %next
body:
  %q = getelementptr inbounds i32, ptr %out, i64 %item
  store i32 7, ptr %q
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
