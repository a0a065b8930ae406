; SPDX-License-Identifier: Apache-2.0
; SPDX-FileCopyrightText: The Quern authors
; Memory that is read is worth keeping in the caches.
; RUN: %quernc --passes="vectorize-items<width=16>" %s | FileCheck %s

; CHECK-LABEL: @read_again(
; CHECK-NOT: !nontemporal
; CHECK: @llvm.masked.store.v16f32
; CHECK-NOT: !nontemporal
; CHECK: ret void
define void @read_again(ptr addrspace(1) noalias %in, ptr addrspace(1) noalias %out, ptr "quern-ndrange"
    %ndrange, i64 %count) {
entry:
  br label %items
items:
  %item = phi i64 [ 0, %entry ], [ %item.next, %items ]
  %p = getelementptr inbounds float, ptr addrspace(1) %out, i64 %item
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
