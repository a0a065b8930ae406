; SPDX-License-Identifier: Apache-2.0
; SPDX-FileCopyrightText: The Quern authors
; A stride that changes in the loop around: the loop over work-items has versions for 1, 2 and 4, where elements are
; contiguous or at a constant distance, and gathers elsewhere.
; RUN: %quernc --passes="vectorize-items<width=8>" %s | FileCheck %s

; CHECK-LABEL: @multiplier(
; CHECK: icmp eq i64 %stride, 1
; CHECK: icmp eq i64 %stride, 2
; CHECK: icmp eq i64 %stride, 4
; CHECK: load <8 x float>, ptr addrspace(1)
; CHECK: @llvm.masked.load.v16f32
; CHECK: @llvm.masked.load.v32f32
; CHECK: @llvm.masked.gather.v8f32
; CHECK: @llvm.masked.scatter.v8f32
define void @multiplier(ptr addrspace(1) noalias %data, i64 %count) {
entry:
  br label %steps
steps:
  %stride = phi i64 [ 1, %entry ], [ %stride.next, %steps.next ]
  br label %items
items:
  %item = phi i64 [ 0, %steps ], [ %item.next, %items ]
  %at = mul i64 %item, %stride
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
