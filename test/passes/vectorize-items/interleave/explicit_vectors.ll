; SPDX-License-Identifier: Apache-2.0
; SPDX-FileCopyrightText: The Quern authors
; Each component of an explicit vector is a vector: eight of them are independent work, and fill the registers. A scalar
; in their place is interleaved.
; RUN: %quernc --passes=vectorize-items %s | FileCheck %s

; CHECK: "quern-plans"="VF={{[0-9]+}}, IC=1,
; CHECK: "quern-plans"="VF={{[0-9]+}}, IC={{[24]}},
define void @eight(ptr noalias %in, ptr noalias %out, i32 %n, i64 %count) {
entry:
  br label %items
items:
  %item = phi i64 [ 0, %entry ], [ %item.next, %next ]
  %p = getelementptr inbounds <8 x i32>, ptr %in, i64 %item
  %x = load <8 x i32>, ptr %p
  br label %loop
loop:
  %k = phi i32 [ 0, %items ], [ %k.next, %loop ]
  %a = phi <8 x i32> [ %x, %items ], [ %a.next, %loop ]
  %s = add <8 x i32> %a, %x
  %a.next = xor <8 x i32> %s, splat (i32 5)
  %k.next = add i32 %k, 1
  %again = icmp ult i32 %k.next, %n
  br i1 %again, label %loop, label %next
next:
  %q = getelementptr inbounds <8 x i32>, ptr %out, i64 %item
  store <8 x i32> %a.next, ptr %q
  %item.next = add nuw nsw i64 %item, 1
  %more = icmp ult i64 %item.next, %count
  br i1 %more, label %items, label %done, !llvm.loop !0
done:
  ret void
}

define void @one(ptr noalias %in, ptr noalias %out, i32 %n, i64 %count) {
entry:
  br label %items
items:
  %item = phi i64 [ 0, %entry ], [ %item.next, %next ]
  %p = getelementptr inbounds i32, ptr %in, i64 %item
  %x = load i32, ptr %p
  br label %loop
loop:
  %k = phi i32 [ 0, %items ], [ %k.next, %loop ]
  %a = phi i32 [ %x, %items ], [ %a.next, %loop ]
  %s = add i32 %a, %x
  %a.next = xor i32 %s, 5
  %k.next = add i32 %k, 1
  %again = icmp ult i32 %k.next, %n
  br i1 %again, label %loop, label %next
next:
  %q = getelementptr inbounds i32, ptr %out, i64 %item
  store i32 %a.next, ptr %q
  %item.next = add nuw nsw i64 %item, 1
  %more = icmp ult i64 %item.next, %count
  br i1 %more, label %items, label %done, !llvm.loop !0
done:
  ret void
}

!0 = distinct !{!0, !1}
!1 = !{!"quern.item-loop"}
