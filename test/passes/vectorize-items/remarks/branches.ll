; SPDX-License-Identifier: Apache-2.0
; SPDX-FileCopyrightText: The Quern authors
; A body with very many branches stays scalar, and the remark says so.
; RUN: awk '{ if ($1 == "cases") for (i = 1; i <= $2; i++) print "i32 " i ", label " $3; else print }' %s > %t
; RUN: %quernc --passes=vectorize-items --remarks=- -o /dev/null %t | FileCheck %s

; CHECK: --- !Passed
; CHECK: Function: few
; CHECK: --- !Missed
; CHECK: Function: many
; CHECK: - Reason: it has too many blocks
define void @few(ptr noalias %out, ptr noalias %in, i64 %count) {
entry:
  br label %items
items:
  %item = phi i64 [ 0, %entry ], [ %item.next, %next ]
  %p = getelementptr inbounds i32, ptr %in, i64 %item
  %x = load i32, ptr %p
  switch i32 %x, label %next [
  cases 5 %change
  ]
change:
  %changed = mul i32 %x, 7
  br label %next
next:
  %y = phi i32 [ %x, %items ], [ %changed, %change ]
  %q = getelementptr inbounds i32, ptr %out, i64 %item
  store i32 %y, ptr %q
  %item.next = add nuw nsw i64 %item, 1
  %more = icmp ult i64 %item.next, %count
  br i1 %more, label %items, label %done, !llvm.loop !0
done:
  ret void
}

define void @many(ptr noalias %out, ptr noalias %in, i64 %count) {
entry:
  br label %items
items:
  %item = phi i64 [ 0, %entry ], [ %item.next, %next ]
  %p = getelementptr inbounds i32, ptr %in, i64 %item
  %x = load i32, ptr %p
  switch i32 %x, label %next [
  cases 1100 %change
  ]
change:
  %changed = mul i32 %x, 7
  br label %next
next:
  %y = phi i32 [ %x, %items ], [ %changed, %change ]
  %q = getelementptr inbounds i32, ptr %out, i64 %item
  store i32 %y, ptr %q
  %item.next = add nuw nsw i64 %item, 1
  %more = icmp ult i64 %item.next, %count
  br i1 %more, label %items, label %done, !llvm.loop !0
done:
  ret void
}

!0 = distinct !{!0, !1}
!1 = !{!"quern.item-loop"}
