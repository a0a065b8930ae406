; SPDX-License-Identifier: Apache-2.0
; SPDX-FileCopyrightText: The Quern authors
; Another condition than an upper bound would be a mask in any case: the loop stays as it is.
; RUN: %quernc --passes="loop-simplify,lcssa,remove-lower-bounds" %s | FileCheck %s

; CHECK-LABEL: @masked(
; CHECK: %above = icmp uge i64 %id, %low
; CHECK: %odd = trunc i64 %id to i1
; CHECK: %inside = select i1 %above, i1 %odd, i1 false
; CHECK: icmp ult i64 %item.next, %count
define void @masked(ptr noalias %out, i64 %base, i64 %low, i64 %count) {
entry:
  br label %items
items:
  %item = phi i64 [ 0, %entry ], [ %item.next, %next ]
  %id = add nuw i64 %base, %item
  %above = icmp uge i64 %id, %low
  %odd = trunc i64 %id to i1
  %inside = select i1 %above, i1 %odd, i1 false
  br i1 %inside, label %body, label %next
body:
  %q = getelementptr inbounds i32, ptr %out, i64 %id
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
