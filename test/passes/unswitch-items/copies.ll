; SPDX-License-Identifier: Apache-2.0
; SPDX-FileCopyrightText: The Quern authors
; A launch runs one of the copies: stores may bypass the caches, and nothing is prefetched for code behind a barrier.
; RUN: %quernc --passes=unswitch-items,simplifycfg,instcombine,loop-simplify,lcssa,vectorize-items %s | FileCheck %s

; CHECK: !nontemporal
; CHECK-NOT: prefetch of the next iteration
define void @columns(ptr addrspace(1) noalias %in, ptr addrspace(1) noalias %out, ptr "quern-ndrange" %ndrange,
                     i1 %whole, i64 %index, i64 %count) {
entry:
  br label %items
items:
  %item = phi i64 [ 0, %entry ], [ %item.next, %items ]
  %x = select i1 %whole, i64 %item, i64 %index
  %p = getelementptr inbounds float, ptr addrspace(1) %in, i64 %x
  %value = load float, ptr addrspace(1) %p
  %q = getelementptr inbounds float, ptr addrspace(1) %out, i64 %item
  store float %value, ptr addrspace(1) %q
  %item.next = add nuw nsw i64 %item, 1
  %more = icmp ult i64 %item.next, %count
  br i1 %more, label %items, label %done, !llvm.loop !0
done:
  ret void
}

!0 = distinct !{!0, !1}
!1 = !{!"quern.item-loop"}
