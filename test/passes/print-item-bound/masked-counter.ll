; SPDX-License-Identifier: Apache-2.0
; SPDX-FileCopyrightText: The Quern authors
; `(int)get_local_id(0) == 0` is a comparison of the counter's low half, which is the counter: only the first
; work-item has the body.
; RUN: %quernc --passes="print<item-bound>" %s 2>&1 >/dev/null | FileCheck %s

; CHECK-LABEL: Item bound of 'first_item':
; CHECK-NEXT: bound (unsigned) i64 1, stride 1, body on true{{$}}
define void @first_item(ptr noalias %out, i64 %count) {
entry:
  br label %items
items:
  %item = phi i64 [ 0, %entry ], [ %item.next, %next ]
  %low = and i64 %item, 4294967295
  %inside = icmp eq i64 %low, 0
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
