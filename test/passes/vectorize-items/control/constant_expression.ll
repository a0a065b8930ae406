; SPDX-License-Identifier: Apache-2.0
; SPDX-FileCopyrightText: The Quern authors
; A vector that is a constant expression has no elements by itself: they are extracted, and are the same in all lanes.
; RUN: %quernc --passes="vectorize-items<width=8>" %s | FileCheck %s

; CHECK-LABEL: @address(
; CHECK: i32 extractelement (<2 x i32> bitcast (i64 ptrtoint (ptr @place to i64) to <2 x i32>), i32 1)
; CHECK: call void @llvm.masked.store.v8i32
; CHECK: ret void

@place = external global i32

define void @address(ptr noalias %in, ptr noalias %out, i64 %count) {
entry:
  br label %items
items:
  %item = phi i64 [ 0, %entry ], [ %item.next, %next ]
  %p = getelementptr inbounds <2 x i32>, ptr %in, i64 %item
  %a = load <2 x i32>, ptr %p
  %first = extractelement <2 x i32> %a, i64 0
  %test = icmp eq i32 %first, 0
  br i1 %test, label %zero, label %next
zero:
  %negated = xor <2 x i32> %a, splat (i32 -1)
  br label %next
next:
  %value = phi <2 x i32> [ bitcast (i64 ptrtoint (ptr @place to i64) to <2 x i32>), %items ], [ %negated, %zero ]
  %result = extractelement <2 x i32> %value, i64 1
  %q = getelementptr inbounds i32, ptr %out, i64 %item
  store i32 %result, ptr %q
  %item.next = add nuw nsw i64 %item, 1
  %more = icmp ult i64 %item.next, %count
  br i1 %more, label %items, label %done, !llvm.loop !0
done:
  ret void
}

!0 = distinct !{!0, !1}
!1 = !{!"quern.item-loop"}
