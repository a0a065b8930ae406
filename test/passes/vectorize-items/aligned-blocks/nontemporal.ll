; SPDX-License-Identifier: Apache-2.0
; SPDX-FileCopyrightText: The Quern authors
; Stores of lines of 16 elements, 20 from one to the next: each vector is contiguous, without a test. The vectors are
; not at equal distances, so that the first one's alignment says nothing of the others: no store is non-temporal.
; RUN: %quernc --passes="vectorize-items<width=16>" %s | FileCheck %s

; CHECK-LABEL: @nontemporal(
; CHECK-NOT: {{!nontemporal|scatter|icmp uge}}
; CHECK: call void @llvm.masked.store.v16f32
; CHECK-NOT: {{!nontemporal|scatter|icmp uge}}
; CHECK: ret void
define void @nontemporal(ptr addrspace(1) noalias %in, ptr addrspace(1) noalias %out, ptr "quern-ndrange" %ndrange,
    i64 %count) {
entry:
  br label %items
items:
  %item = phi i64 [ 0, %entry ], [ %item.next, %items ]
  %p = getelementptr inbounds float, ptr addrspace(1) %in, i64 %item
  %x = load float, ptr addrspace(1) %p
  %y = fadd float %x, 1.0
  %line = lshr i64 %item, 4
  %first = mul nuw nsw i64 %line, 20
  %position = and i64 %item, 15
  %index = add nuw nsw i64 %first, %position
  %q = getelementptr inbounds float, ptr addrspace(1) %out, i64 %index
  store float %y, ptr addrspace(1) %q
  %item.next = add nuw nsw i64 %item, 1
  %more = icmp ult i64 %item.next, %count
  br i1 %more, label %items, label %done, !llvm.loop !0
done:
  ret void
}

!0 = distinct !{!0, !1}
!1 = !{!"quern.item-loop"}
