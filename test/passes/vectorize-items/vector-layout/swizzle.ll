; SPDX-License-Identifier: Apache-2.0
; SPDX-FileCopyrightText: The Quern authors
; A swizzle is one shuffle within lanes.
; RUN: %quernc --passes="vectorize-items<width=4>" %s | FileCheck %s

; CHECK-LABEL: define void @swizzle(
; CHECK: shufflevector <16 x i8> {{.*}}, <16 x i32> <i32 2, i32 3, i32 0, i32 1, i32 6, i32 7, i32 4, i32 5,
; CHECK: add <16 x i8>
define void @swizzle(ptr noalias %in, ptr noalias %out, i64 %count) {
entry:
  br label %items
items:
  %item = phi i64 [ 0, %entry ], [ %item.next, %items ]
  %p = getelementptr inbounds <4 x i8>, ptr %in, i64 %item
  %x = load <4 x i8>, ptr %p, align 4
  %y = shufflevector <4 x i8> %x, <4 x i8> poison, <4 x i32> <i32 2, i32 3, i32 0, i32 1>
  %z = add <4 x i8> %x, %y
  %q = getelementptr inbounds <4 x i8>, ptr %out, i64 %item
  store <4 x i8> %z, ptr %q, align 4
  %item.next = add nuw nsw i64 %item, 1
  %more = icmp ult i64 %item.next, %count
  br i1 %more, label %items, label %done, !llvm.loop !0
done:
  ret void
}

!0 = distinct !{!0, !1}
!1 = !{!"quern.item-loop"}
