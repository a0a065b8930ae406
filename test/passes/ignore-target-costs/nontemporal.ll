; SPDX-License-Identifier: Apache-2.0
; SPDX-FileCopyrightText: The Quern authors
; Non-temporal stores need a word from the target; vectors do not.
; RUN: %quernc --passes=vectorize-items %s | FileCheck %s --check-prefixes=CHECK,COSTS
; RUN: %quernc --passes='ignore-target-costs,function(vectorize-items)' %s \
; RUN:   | FileCheck %s --implicit-check-not=!nontemporal

; CHECK-LABEL: @streams(
; COSTS: !nontemporal
; CHECK: @llvm.masked.store.v8f32
define void @streams(ptr addrspace(1) %in, ptr addrspace(1) noalias %out, i64 %count, ptr "quern-ndrange" %ndrange) {
entry:
  br label %items
items:
  %item = phi i64 [ 0, %entry ], [ %item.next, %next ]
  %p = getelementptr inbounds float, ptr addrspace(1) %in, i64 %item
  %x = load float, ptr addrspace(1) %p
  %y = fadd float %x, 1.0
  %q = getelementptr inbounds float, ptr addrspace(1) %out, i64 %item
  store float %y, ptr addrspace(1) %q
  br label %next
next:
  %item.next = add nuw nsw i64 %item, 1
  %more = icmp ult i64 %item.next, %count
  br i1 %more, label %items, label %done, !llvm.loop !0
done:
  ret void
}

!0 = distinct !{!0, !1}
!1 = !{!"quern.item-loop"}
