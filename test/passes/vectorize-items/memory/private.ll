; SPDX-License-Identifier: Apache-2.0
; SPDX-FileCopyrightText: The Quern authors
; Private arrays of all lanes lie element by element: a uniform index is contiguous, another one gathers.
; RUN: %quernc --passes="vectorize-items<width=8>" %s | FileCheck %s

; CHECK-LABEL: @private(
; CHECK: alloca [512 x i8]
; CHECK: call void @llvm.masked.store.v8i32
; CHECK: call <8 x i32> @llvm.masked.gather.v8i32
define void @private(ptr noalias %in, ptr noalias %out, i64 %k, i64 %count) {
entry:
  %array = alloca [16 x i32]
  br label %items
items:
  %item = phi i64 [ 0, %entry ], [ %item.next, %items ]
  %p = getelementptr inbounds i32, ptr %in, i64 %item
  %x = load i32, ptr %p
  %a = getelementptr inbounds [16 x i32], ptr %array, i64 0, i64 %k
  store i32 %x, ptr %a
  %low = and i32 %x, 15
  %i = zext i32 %low to i64
  %b = getelementptr inbounds [16 x i32], ptr %array, i64 0, i64 %i
  %y = load i32, ptr %b
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
