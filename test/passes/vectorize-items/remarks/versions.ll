; SPDX-License-Identifier: Apache-2.0
; SPDX-FileCopyrightText: The Quern authors
; Versions of a loop have a remark of their own, before that of the general form.
; RUN: %quernc --passes="vectorize-items<width=8>" --remarks=- -o /dev/null %s | FileCheck %s

; CHECK: Name: Versioned
; CHECK: - Versions: '3'
; CHECK-NEXT: - String: ' loop versions'
; CHECK-NEXT: - String: ' for contiguous accesses'
; CHECK: Name: Vectorized
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
