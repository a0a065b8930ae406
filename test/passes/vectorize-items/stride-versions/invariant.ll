; SPDX-License-Identifier: Apache-2.0
; SPDX-FileCopyrightText: The Quern authors
; A stride that never changes has no versions: nothing tells that it is ever small.
; RUN: %quernc --passes="vectorize-items<width=8>" %s | FileCheck %s

; CHECK-LABEL: @invariant(
; CHECK-NOT: icmp eq i64 %stride
; CHECK: @llvm.masked.gather.v8f32
; CHECK: ret void
define void @invariant(ptr addrspace(1) noalias %data, i64 %stride, i64 %count) {
entry:
  br label %items
items:
  %item = phi i64 [ 0, %entry ], [ %item.next, %items ]
  %at = mul i64 %item, %stride
  %p = getelementptr inbounds float, ptr addrspace(1) %data, i64 %at
  %x = load float, ptr addrspace(1) %p
  %y = fmul float %x, 2.0
  store float %y, ptr addrspace(1) %p
  %item.next = add nuw nsw i64 %item, 1
  %more = icmp ult i64 %item.next, %count
  br i1 %more, label %items, label %done, !llvm.loop !0
done:
  ret void
}

!0 = distinct !{!0, !1}
!1 = !{!"quern.item-loop"}
