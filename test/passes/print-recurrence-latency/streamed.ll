; SPDX-License-Identifier: Apache-2.0
; SPDX-FileCopyrightText: The Quern authors
; Sixteen vectors from memory take longer than their sums wait for each other.
; RUN: %quernc --passes="print<recurrence-latency>" %s 2>&1 >/dev/null | FileCheck %s

; CHECK-LABEL: Recurrence latency of 'streamed':
; CHECK-NEXT: critical path: {{[0-9.]+}} cycles exposed, resources {{[7-9][0-9]}}.{{.}} cycles,
; CHECK-NEXT: interleave count 1
define void @streamed(ptr addrspace(1) noalias %in0, ptr addrspace(1) noalias %in1,
    ptr addrspace(1) noalias %in2, ptr addrspace(1) noalias %in3, ptr addrspace(1) noalias %in4,
    ptr addrspace(1) noalias %in5, ptr addrspace(1) noalias %in6, ptr addrspace(1) noalias %in7,
    ptr addrspace(1) noalias %in8, ptr addrspace(1) noalias %in9, ptr addrspace(1) noalias %in10,
    ptr addrspace(1) noalias %in11, ptr addrspace(1) noalias %in12, ptr addrspace(1) noalias %in13,
    ptr addrspace(1) noalias %in14, ptr addrspace(1) noalias %in15, ptr addrspace(1) noalias %out, i64 %count) {
entry:
  br label %items
items:
  %item = phi i64 [ 0, %entry ], [ %item.next, %items ]
  %a0 = getelementptr inbounds float, ptr addrspace(1) %in0, i64 %item
  %v0 = load float, ptr addrspace(1) %a0
  %s0 = fadd float 0.0, %v0
  %a1 = getelementptr inbounds float, ptr addrspace(1) %in1, i64 %item
  %v1 = load float, ptr addrspace(1) %a1
  %s1 = fadd float %s0, %v1
  %a2 = getelementptr inbounds float, ptr addrspace(1) %in2, i64 %item
  %v2 = load float, ptr addrspace(1) %a2
  %s2 = fadd float %s1, %v2
  %a3 = getelementptr inbounds float, ptr addrspace(1) %in3, i64 %item
  %v3 = load float, ptr addrspace(1) %a3
  %s3 = fadd float %s2, %v3
  %a4 = getelementptr inbounds float, ptr addrspace(1) %in4, i64 %item
  %v4 = load float, ptr addrspace(1) %a4
  %s4 = fadd float %s3, %v4
  %a5 = getelementptr inbounds float, ptr addrspace(1) %in5, i64 %item
  %v5 = load float, ptr addrspace(1) %a5
  %s5 = fadd float %s4, %v5
  %a6 = getelementptr inbounds float, ptr addrspace(1) %in6, i64 %item
  %v6 = load float, ptr addrspace(1) %a6
  %s6 = fadd float %s5, %v6
  %a7 = getelementptr inbounds float, ptr addrspace(1) %in7, i64 %item
  %v7 = load float, ptr addrspace(1) %a7
  %s7 = fadd float %s6, %v7
  %a8 = getelementptr inbounds float, ptr addrspace(1) %in8, i64 %item
  %v8 = load float, ptr addrspace(1) %a8
  %s8 = fadd float %s7, %v8
  %a9 = getelementptr inbounds float, ptr addrspace(1) %in9, i64 %item
  %v9 = load float, ptr addrspace(1) %a9
  %s9 = fadd float %s8, %v9
  %a10 = getelementptr inbounds float, ptr addrspace(1) %in10, i64 %item
  %v10 = load float, ptr addrspace(1) %a10
  %s10 = fadd float %s9, %v10
  %a11 = getelementptr inbounds float, ptr addrspace(1) %in11, i64 %item
  %v11 = load float, ptr addrspace(1) %a11
  %s11 = fadd float %s10, %v11
  %a12 = getelementptr inbounds float, ptr addrspace(1) %in12, i64 %item
  %v12 = load float, ptr addrspace(1) %a12
  %s12 = fadd float %s11, %v12
  %a13 = getelementptr inbounds float, ptr addrspace(1) %in13, i64 %item
  %v13 = load float, ptr addrspace(1) %a13
  %s13 = fadd float %s12, %v13
  %a14 = getelementptr inbounds float, ptr addrspace(1) %in14, i64 %item
  %v14 = load float, ptr addrspace(1) %a14
  %s14 = fadd float %s13, %v14
  %a15 = getelementptr inbounds float, ptr addrspace(1) %in15, i64 %item
  %v15 = load float, ptr addrspace(1) %a15
  %s15 = fadd float %s14, %v15
  %q = getelementptr inbounds float, ptr addrspace(1) %out, i64 %item
  store float %s15, ptr addrspace(1) %q
  %item.next = add nuw nsw i64 %item, 1
  %more = icmp ult i64 %item.next, %count
  br i1 %more, label %items, label %done, !llvm.loop !0
done:
  ret void
}

!0 = distinct !{!0, !1}
!1 = !{!"quern.item-loop"}
