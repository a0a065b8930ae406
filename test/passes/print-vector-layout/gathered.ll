; SPDX-License-Identifier: Apache-2.0
; SPDX-FileCopyrightText: The Quern authors
; What is gathered arrives in components: the sum and the store wait for all of them, and need them put together.
; RUN: %quernc --passes="print<vector-layout>" %s 2>&1 >/dev/null | FileCheck %s

; CHECK-LABEL: Vector layout of 'gathered':
; CHECK: SOA: {{.*}} load <4 x float>
; CHECK: SOA: {{.*}} fadd <4 x float>
; CHECK: SOA: store <4 x float>
define void @gathered(ptr noalias %in, ptr noalias %indices, ptr noalias %out, i64 %count) {
entry:
  br label %items
items:
  %item = phi i64 [ 0, %entry ], [ %item.next, %items ]
  %i = getelementptr inbounds i32, ptr %indices, i64 %item
  %index = load i32, ptr %i
  %p = getelementptr inbounds <4 x float>, ptr %in, i32 %index
  %v = load <4 x float>, ptr %p, align 16
  %y = fadd <4 x float> %v, splat (float 1.0)
  %q = getelementptr inbounds <4 x float>, ptr %out, i64 %item
  store <4 x float> %y, ptr %q, align 16
  %item.next = add nuw nsw i64 %item, 1
  %more = icmp ult i64 %item.next, %count
  br i1 %more, label %items, label %done, !llvm.loop !0
done:
  ret void
}

!0 = distinct !{!0, !1}
!1 = !{!"quern.item-loop"}
