; SPDX-License-Identifier: Apache-2.0
; SPDX-FileCopyrightText: The Quern authors
; All components are treated alike: one vector for the components of all lanes, and no shuffles.
; RUN: %quernc --passes="vectorize-items<width=4>" %s | FileCheck %s

; CHECK-LABEL: define void @componentwise(
; CHECK-NOT: shufflevector <{{[0-9]+}} x i8>
; CHECK: mul <16 x i8>
; CHECK-NOT: shufflevector <{{[0-9]+}} x i8>
; CHECK: xor <16 x i8>
define void @componentwise(ptr noalias %in, ptr noalias %out, i64 %count) {
entry:
  br label %items
items:
  %item = phi i64 [ 0, %entry ], [ %item.next, %items ]
  %p = getelementptr inbounds <4 x i8>, ptr %in, i64 %item
  %x = load <4 x i8>, ptr %p, align 4
  %y = mul <4 x i8> %x, splat (i8 7)
  %z = xor <4 x i8> %y, <i8 1, i8 2, i8 3, i8 4>
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
