; SPDX-License-Identifier: Apache-2.0
; SPDX-FileCopyrightText: The Quern authors
; A vector is no stride: it has no value to compare with, and there are no versions.
; RUN: %quernc --passes="vectorize-items<width=8>" %s | FileCheck %s

; CHECK-LABEL: @vector(
; CHECK-NOT: icmp eq
; CHECK: mul <8 x i32>
define void @vector(ptr addrspace(1) noalias %data, i64 %count) {
entry:
  br label %steps
steps:
  %stride = phi <2 x i32> [ <i32 1, i32 1>, %entry ], [ %stride.next, %steps.next ]
  %step = phi i64 [ 0, %entry ], [ %step.next, %steps.next ]
  br label %items
items:
  %item = phi i64 [ 0, %steps ], [ %item.next, %items ]
  %index = trunc i64 %item to i32
  %first = insertelement <2 x i32> zeroinitializer, i32 %index, i64 0
  %both = insertelement <2 x i32> %first, i32 %index, i64 1
  %scaled = mul <2 x i32> %both, %stride
  %x = extractelement <2 x i32> %scaled, i64 0
  %y = extractelement <2 x i32> %scaled, i64 1
  %at = add i32 %x, %y
  %p = getelementptr float, ptr addrspace(1) %data, i32 %at
  store float 1.0, ptr addrspace(1) %p
  %item.next = add nuw nsw i64 %item, 1
  %more = icmp ult i64 %item.next, %count
  br i1 %more, label %items, label %steps.next, !llvm.loop !0
steps.next:
  %stride.next = add <2 x i32> %stride, <i32 1, i32 3>
  %step.next = add i64 %step, 1
  %steps.more = icmp ult i64 %step.next, 256
  br i1 %steps.more, label %steps, label %done
done:
  ret void
}

!0 = distinct !{!0, !1}
!1 = !{!"quern.item-loop"}
