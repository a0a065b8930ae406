; SPDX-License-Identifier: Apache-2.0
; SPDX-FileCopyrightText: The Quern authors
; A conversion keeps the places of components, whatever their size; a scalar of each lane is repeated for them.
; RUN: %quernc --passes="vectorize-items<width=4>" %s | FileCheck %s

; CHECK-LABEL: define void @conversion(
; CHECK: shufflevector <4 x i32> {{.*}} <16 x i32> <i32 0, i32 0, i32 0, i32 0, i32 1, i32 1, i32 1, i32 1,
; CHECK: zext <16 x i8> {{.*}} to <16 x i32>
; CHECK: mul <16 x i32>
; CHECK: trunc <16 x i32> {{.*}} to <16 x i8>
define void @conversion(ptr noalias %in, ptr noalias %factors, ptr noalias %out, i64 %count) {
entry:
  br label %items
items:
  %item = phi i64 [ 0, %entry ], [ %item.next, %items ]
  %p = getelementptr inbounds <4 x i8>, ptr %in, i64 %item
  %x = load <4 x i8>, ptr %p, align 4
  %f = getelementptr inbounds i32, ptr %factors, i64 %item
  %factor = load i32, ptr %f
  %one = insertelement <4 x i32> poison, i32 %factor, i64 0
  %all = shufflevector <4 x i32> %one, <4 x i32> poison, <4 x i32> zeroinitializer
  %y = zext <4 x i8> %x to <4 x i32>
  %z = mul <4 x i32> %y, %all
  %t = lshr <4 x i32> %z, splat (i32 8)
  %r = trunc <4 x i32> %t to <4 x i8>
  %q = getelementptr inbounds <4 x i8>, ptr %out, i64 %item
  store <4 x i8> %r, ptr %q, align 4
  %item.next = add nuw nsw i64 %item, 1
  %more = icmp ult i64 %item.next, %count
  br i1 %more, label %items, label %done, !llvm.loop !0
done:
  ret void
}

!0 = distinct !{!0, !1}
!1 = !{!"quern.item-loop"}
