; SPDX-License-Identifier: Apache-2.0
; SPDX-FileCopyrightText: The Quern authors
; Both loops are left at their latches, when work-items leave both in different iterations.
; RUN: %quernc --passes="canonicalize-items" %s | FileCheck %s

; CHECK-LABEL: @nested(
; CHECK: phi i1
; CHECK: phi i1
; CHECK: ret void
define void @nested(ptr noalias %in, ptr noalias %out, i64 %count) {
entry:
  br label %items
items:
  %item = phi i64 [ 0, %entry ], [ %item.next, %next ]
  %p = getelementptr inbounds i32, ptr %in, i64 %item
  %n = load i32, ptr %p
  br label %outer
outer:
  %x = phi i32 [ %n, %items ], [ %x.next, %outer.next ]
  br label %inner
inner:
  %k = phi i32 [ 0, %outer ], [ %k.next, %inner ]
  %k.next = add i32 %k, 1
  %inner.more = icmp ult i32 %k.next, %x
  br i1 %inner.more, label %inner, label %outer.next
outer.next:
  %x.next = lshr i32 %x, 1
  %outer.more = icmp ugt i32 %x.next, 2
  br i1 %outer.more, label %outer, label %next
next:
  %q = getelementptr inbounds i32, ptr %out, i64 %item
  store i32 %k.next, ptr %q
  %item.next = add nuw nsw i64 %item, 1
  %more = icmp ult i64 %item.next, %count
  br i1 %more, label %items, label %done, !llvm.loop !0
done:
  ret void
}

!0 = distinct !{!0, !1}
!1 = !{!"quern.item-loop"}
