; SPDX-License-Identifier: Apache-2.0
; SPDX-FileCopyrightText: The Quern authors
; What gathers cost on Zen 4, where they are slow, is not in LLVM's tables: without it vectors look profitable.
; RUN: env QUERN_CPU=znver4 %quernc --passes=vectorize-items %s | FileCheck %s --check-prefix=COSTS
; RUN: env QUERN_CPU=znver4 %quernc --passes='ignore-target-costs,function(vectorize-items)' %s | FileCheck %s

; COSTS: attributes {{.*}}"quern-undecided"
; CHECK-LABEL: @gathers(
; CHECK: call <16 x float> @llvm.masked.gather.v16f32
; CHECK-NOT: quern-undecided
define void @gathers(ptr addrspace(1) %in, ptr addrspace(1) %from, ptr addrspace(1) noalias %out, i64 %count) {
entry:
  br label %items
items:
  %item = phi i64 [ 0, %entry ], [ %item.next, %next ]
  %p = getelementptr inbounds i32, ptr addrspace(1) %from, i64 %item
  %n = load i32, ptr addrspace(1) %p
  %index = sext i32 %n to i64
  %q = getelementptr inbounds float, ptr addrspace(1) %in, i64 %index
  %x = load float, ptr addrspace(1) %q
  %r = getelementptr inbounds float, ptr addrspace(1) %out, i64 %item
  %a = fadd float %x, 1.0
  %b = fmul float %a, %a
  %c = fsub float %b, 3.0
  %d = fmul float %c, %x
  store float %d, ptr addrspace(1) %r
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
