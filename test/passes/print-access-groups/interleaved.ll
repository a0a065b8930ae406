; SPDX-License-Identifier: Apache-2.0
; SPDX-FileCopyrightText: The Quern authors
; Even and odd elements are one access at the first load, and at the last store.
; RUN: %quernc --passes="print<access-groups>" %s 2>&1 >/dev/null | FileCheck %s

; CHECK-LABEL: Access groups of 'loads':
; CHECK-NEXT: interleaved group, step 2, made at %a = load i32, ptr %even
; CHECK-NEXT: element 0: %a = load
; CHECK-NEXT: element 1: %b = load
; CHECK-LABEL: Access groups of 'stores':
; CHECK-NEXT: interleaved group, step 2, made at store i32 %minus, ptr %im
; CHECK-NEXT: element 0: store i32 %x, ptr %re
; CHECK-NEXT: element 1: store i32 %minus, ptr %im
define void @loads(ptr noalias %in, ptr noalias %out, i64 %count) {
entry:
  br label %items
items:
  %item = phi i64 [ 0, %entry ], [ %item.next, %items ]
  %two = shl nuw nsw i64 %item, 1
  %even = getelementptr inbounds i32, ptr %in, i64 %two
  %odd = getelementptr inbounds i8, ptr %even, i64 4
  %a = load i32, ptr %even
  %b = load i32, ptr %odd
  %ab = sub i32 %a, %b
  %q = getelementptr inbounds i32, ptr %out, i64 %item
  store i32 %ab, ptr %q
  %item.next = add nuw nsw i64 %item, 1
  %more = icmp ult i64 %item.next, %count
  br i1 %more, label %items, label %done, !llvm.loop !0
done:
  ret void
}

define void @stores(ptr noalias %in, ptr noalias %out, i64 %count) {
entry:
  br label %items
items:
  %item = phi i64 [ 0, %entry ], [ %item.next, %items ]
  %p = getelementptr inbounds i32, ptr %in, i64 %item
  %x = load i32, ptr %p
  %minus = sub i32 0, %x
  %two = shl nuw nsw i64 %item, 1
  %re = getelementptr inbounds i32, ptr %out, i64 %two
  %im = getelementptr inbounds i8, ptr %re, i64 4
  store i32 %x, ptr %re
  store i32 %minus, ptr %im
  %item.next = add nuw nsw i64 %item, 1
  %more = icmp ult i64 %item.next, %count
  br i1 %more, label %items, label %done, !llvm.loop !0
done:
  ret void
}

!0 = distinct !{!0, !1}
!1 = !{!"quern.item-loop"}
