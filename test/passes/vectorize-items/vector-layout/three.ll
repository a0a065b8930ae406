; SPDX-License-Identifier: Apache-2.0
; SPDX-FileCopyrightText: The Quern authors
; Three components take the place of four, as in memory.
; RUN: %quernc --passes="vectorize-items<width=4>" %s | FileCheck %s

; CHECK-LABEL: define void @three(
; CHECK: fadd <16 x float>
; CHECK-NOT: fadd <4 x float>
define void @three(ptr noalias %in, ptr noalias %out, i64 %count) {
entry:
  br label %items
items:
  %item = phi i64 [ 0, %entry ], [ %item.next, %items ]
  %p = getelementptr inbounds <4 x float>, ptr %in, i64 %item
  %v = load <4 x float>, ptr %p, align 16
  %x = shufflevector <4 x float> %v, <4 x float> poison, <3 x i32> <i32 0, i32 1, i32 2>
  %y = fadd <3 x float> %x, <float 1.0, float 2.0, float 3.0>
  %z = shufflevector <3 x float> %y, <3 x float> poison, <4 x i32> <i32 0, i32 1, i32 2, i32 poison>
  %q = getelementptr inbounds <4 x float>, ptr %out, i64 %item
  store <4 x float> %z, ptr %q, align 16
  %item.next = add nuw nsw i64 %item, 1
  %more = icmp ult i64 %item.next, %count
  br i1 %more, label %items, label %done, !llvm.loop !0
done:
  ret void
}

!0 = distinct !{!0, !1}
!1 = !{!"quern.item-loop"}
