; SPDX-License-Identifier: Apache-2.0
; SPDX-FileCopyrightText: The Quern authors
; A mask that the bound makes redundant: the access is contiguous, and no lane is tested for it. One bit less is a mask.
; RUN: %quernc --passes="vectorize-items<width=8>" %s | FileCheck %s

; CHECK-LABEL: @redundant(
; CHECK-NOT: gather
; CHECK: call <8 x i32> @llvm.masked.load
; CHECK-NOT: gather
; CHECK-LABEL: @needed(
; CHECK: call <8 x i32> @llvm.masked.gather
define void @redundant(ptr noalias %in, ptr noalias %out, i64 %count) {
entry:
  br label %items
items:
  %item = phi i64 [ 0, %entry ], [ %item.next, %next ]
  %id = trunc i64 %item to i32
  %inside = icmp ult i32 %id, 4
  br i1 %inside, label %body, label %next
body:
  %low = and i64 %item, 3
  %p = getelementptr inbounds i32, ptr %in, i64 %low
  %x = load i32, ptr %p
  %q = getelementptr inbounds i32, ptr %out, i64 %item
  store i32 %x, ptr %q
  br label %next
next:
  %item.next = add nuw nsw i64 %item, 1
  %more = icmp ult i64 %item.next, %count
  br i1 %more, label %items, label %done, !llvm.loop !0
done:
  ret void
}

define void @needed(ptr noalias %in, ptr noalias %out, i64 %count) {
entry:
  br label %items
items:
  %item = phi i64 [ 0, %entry ], [ %item.next, %next ]
  %id = trunc i64 %item to i32
  %inside = icmp ult i32 %id, 5
  br i1 %inside, label %body, label %next
body:
  %low = and i64 %item, 3
  %p = getelementptr inbounds i32, ptr %in, i64 %low
  %x = load i32, ptr %p
  %q = getelementptr inbounds i32, ptr %out, i64 %item
  store i32 %x, ptr %q
  br label %next
next:
  %item.next = add nuw nsw i64 %item, 1
  %more = icmp ult i64 %item.next, %count
  br i1 %more, label %items, label %done, !llvm.loop !2
done:
  ret void
}

!0 = distinct !{!0, !1}
!1 = !{!"quern.item-loop"}
!2 = distinct !{!2, !1}
