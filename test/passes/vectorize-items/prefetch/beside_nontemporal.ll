; SPDX-License-Identifier: Apache-2.0
; SPDX-FileCopyrightText: The Quern authors
; Beside stores that bypass the caches, what is loaded is prefetched 4096 bytes ahead.
; RUN: %quernc --passes="vectorize-items<width=16>" %s | FileCheck %s

; CHECK-LABEL: @beside_nontemporal(
; CHECK: %[[AHEAD:.*]] = getelementptr i8, ptr addrspace(1) %[[AT:.*]], i64 4096
; CHECK-NEXT: call void @llvm.prefetch.p1(ptr addrspace(1) %[[AHEAD]], i32 0, i32 3, i32 1)
; CHECK-NEXT: load <16 x float>, ptr addrspace(1) %[[AT]]
; CHECK: !nontemporal
; CHECK-NOT: @llvm.prefetch.p1(
; CHECK: ret void
define void @beside_nontemporal(ptr addrspace(1) noalias %in, ptr addrspace(1) noalias %out, ptr
    "quern-ndrange" %ndrange, i64 %count) {
entry:
  br label %items
items:
  %item = phi i64 [ 0, %entry ], [ %item.next, %items ]
  %p = getelementptr inbounds float, ptr addrspace(1) %in, i64 %item
  %x = load float, ptr addrspace(1) %p
  %y = fadd float %x, 1.0
  %q = getelementptr inbounds float, ptr addrspace(1) %out, i64 %item
  store float %y, ptr addrspace(1) %q
  %item.next = add nuw nsw i64 %item, 1
  %more = icmp ult i64 %item.next, %count
  br i1 %more, label %items, label %done, !llvm.loop !0
done:
  ret void
}

!0 = distinct !{!0, !1}
!1 = !{!"quern.item-loop"}
