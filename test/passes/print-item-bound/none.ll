; SPDX-License-Identifier: Apache-2.0
; SPDX-FileCopyrightText: The Quern authors
; There is no bound where something happens outside of the test, or where the number is below another for the wrong
; side.
; RUN: %quernc --passes="print<item-bound>" %s 2>&1 >/dev/null | FileCheck %s

; CHECK-LABEL: Item bound of 'outside':
; CHECK-NEXT: no bound
; CHECK-LABEL: Item bound of 'lower':
; CHECK-NEXT: no bound
define void @outside(ptr noalias %out, i64 %n, i64 %count) {
entry:
  br label %items
items:
  %item = phi i64 [ 0, %entry ], [ %item.next, %next ]
  %q = getelementptr inbounds i32, ptr %out, i64 %item
  store i32 1, ptr %q
  %inside = icmp ult i64 %item, %n
  br i1 %inside, label %body, label %next
body:
  store i32 7, ptr %q
  br label %next
next:
  %item.next = add nuw nsw i64 %item, 1
  %more = icmp ult i64 %item.next, %count
  br i1 %more, label %items, label %done, !llvm.loop !0
done:
  ret void
}

define void @lower(ptr noalias %out, i64 %n, i64 %count) {
entry:
  br label %items
items:
  %item = phi i64 [ 0, %entry ], [ %item.next, %next ]
  %inside = icmp ugt i64 %item, %n
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
