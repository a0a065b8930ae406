; SPDX-License-Identifier: Apache-2.0
; SPDX-FileCopyrightText: The Quern authors
; An index masked as in a sorting network has one version, for masks whose low bits cover the lanes: there a vector lies
; in one aligned block.
; RUN: %quernc --passes="vectorize-items<width=8>" %s | FileCheck %s

; CHECK-LABEL: @mask(
; CHECK: %[[LOW:.*]] = and i64 %stride.mask, 7
; CHECK: icmp eq i64 %[[LOW]], 7
; CHECK: load <8 x float>, ptr addrspace(1)
define void @mask(ptr addrspace(1) noalias %data, i64 %count) {
entry:
  br label %steps
steps:
  %stride = phi i64 [ 1, %entry ], [ %stride.next, %steps.next ]
  %stride.mask = sub i64 %stride, 1
  br label %items
items:
  %item = phi i64 [ 0, %steps ], [ %item.next, %items ]
  %low = and i64 %item, %stride.mask
  %twice = shl nuw nsw i64 %item, 1
  %at = sub i64 %twice, %low
  %p = getelementptr inbounds float, ptr addrspace(1) %data, i64 %at
  %x = load float, ptr addrspace(1) %p
  %y = fmul float %x, 2.0
  store float %y, ptr addrspace(1) %p
  %item.next = add nuw nsw i64 %item, 1
  %more = icmp ult i64 %item.next, %count
  br i1 %more, label %items, label %steps.next, !llvm.loop !0
steps.next:
  %stride.next = shl i64 %stride, 1
  %steps.more = icmp ult i64 %stride.next, 256
  br i1 %steps.more, label %steps, label %done
done:
  ret void
}

!0 = distinct !{!0, !1}
!1 = !{!"quern.item-loop"}
