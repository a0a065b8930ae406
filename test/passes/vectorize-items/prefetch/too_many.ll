; SPDX-License-Identifier: Apache-2.0
; SPDX-FileCopyrightText: The Quern authors
; More lines than a core has misses in flight are not prefetched.
; RUN: %quernc --passes="vectorize-items<width=16>" %s | FileCheck %s

; CHECK-LABEL: @too_many(
; CHECK-NOT: call void @llvm.prefetch.p1(ptr addrspace(1) %{{.*}}, i32 0,
; CHECK: ret void
define void @too_many(ptr addrspace(1) noalias %in0, ptr addrspace(1) noalias %in1, ptr addrspace(1) noalias
    %in2, ptr addrspace(1) noalias %in3, ptr addrspace(1) noalias %in4, ptr addrspace(1) noalias %in5, ptr
    addrspace(1) noalias %in6, ptr addrspace(1) noalias %in7, ptr addrspace(1) noalias %in8, ptr addrspace(1)
    noalias %in9, ptr addrspace(1) noalias %in10, ptr addrspace(1) noalias %in11, ptr addrspace(1) noalias %in12,
    ptr addrspace(1) noalias %in13, ptr addrspace(3) noalias %tile, ptr addrspace(1) noalias %out, ptr %groups,
    i64 %count) {
entry:
  br label %group
group:
  %number = phi i64 [ 0, %entry ], [ %number.next, %group.next ]
  %group.p = getelementptr inbounds i64, ptr %groups, i64 %number
  %group.id = load i64, ptr %group.p, !quern-group !4
  %first = mul i64 %group.id, %count
  br label %y1
y1:
  %u1 = phi i64 [ 0, %group ], [ %u1.next, %y1.next ]
  br label %items
items:
  %item = phi i64 [ 0, %y1 ], [ %item.next, %items ]
  %at = add i64 %first, %item
  %p0 = getelementptr inbounds float, ptr addrspace(1) %in0, i64 %at
  %x0 = load float, ptr addrspace(1) %p0
  %p1 = getelementptr inbounds float, ptr addrspace(1) %in1, i64 %at
  %x1 = load float, ptr addrspace(1) %p1
  %p2 = getelementptr inbounds float, ptr addrspace(1) %in2, i64 %at
  %x2 = load float, ptr addrspace(1) %p2
  %p3 = getelementptr inbounds float, ptr addrspace(1) %in3, i64 %at
  %x3 = load float, ptr addrspace(1) %p3
  %p4 = getelementptr inbounds float, ptr addrspace(1) %in4, i64 %at
  %x4 = load float, ptr addrspace(1) %p4
  %p5 = getelementptr inbounds float, ptr addrspace(1) %in5, i64 %at
  %x5 = load float, ptr addrspace(1) %p5
  %p6 = getelementptr inbounds float, ptr addrspace(1) %in6, i64 %at
  %x6 = load float, ptr addrspace(1) %p6
  %p7 = getelementptr inbounds float, ptr addrspace(1) %in7, i64 %at
  %x7 = load float, ptr addrspace(1) %p7
  %p8 = getelementptr inbounds float, ptr addrspace(1) %in8, i64 %at
  %x8 = load float, ptr addrspace(1) %p8
  %p9 = getelementptr inbounds float, ptr addrspace(1) %in9, i64 %at
  %x9 = load float, ptr addrspace(1) %p9
  %p10 = getelementptr inbounds float, ptr addrspace(1) %in10, i64 %at
  %x10 = load float, ptr addrspace(1) %p10
  %p11 = getelementptr inbounds float, ptr addrspace(1) %in11, i64 %at
  %x11 = load float, ptr addrspace(1) %p11
  %p12 = getelementptr inbounds float, ptr addrspace(1) %in12, i64 %at
  %x12 = load float, ptr addrspace(1) %p12
  %p13 = getelementptr inbounds float, ptr addrspace(1) %in13, i64 %at
  %x13 = load float, ptr addrspace(1) %p13
  %s0 = fadd float %x0, 1.0
  %s1 = fadd float %s0, %x1
  %s2 = fadd float %s1, %x2
  %s3 = fadd float %s2, %x3
  %s4 = fadd float %s3, %x4
  %s5 = fadd float %s4, %x5
  %s6 = fadd float %s5, %x6
  %s7 = fadd float %s6, %x7
  %s8 = fadd float %s7, %x8
  %s9 = fadd float %s8, %x9
  %s10 = fadd float %s9, %x10
  %s11 = fadd float %s10, %x11
  %s12 = fadd float %s11, %x12
  %s13 = fadd float %s12, %x13
  %t = getelementptr inbounds float, ptr addrspace(3) %tile, i64 %item
  store float %s13, ptr addrspace(3) %t
  %item.next = add nuw nsw i64 %item, 1
  %more = icmp ult i64 %item.next, %count
  br i1 %more, label %items, label %y1.next, !llvm.loop !0
y1.next:
  %u1.next = add nuw nsw i64 %u1, 1
  %u1.more = icmp ult i64 %u1.next, 1
  br i1 %u1.more, label %y1, label %second
second:
  br label %y2
y2:
  %u2 = phi i64 [ 0, %second ], [ %u2.next, %y2.next ]
  br label %others
others:
  %other = phi i64 [ 0, %y2 ], [ %other.next, %others ]
  %back = sub i64 %count, %other
  %tb = getelementptr float, ptr addrspace(3) %tile, i64 %back
  %tv = load float, ptr addrspace(3) %tb
  %to = add i64 %first, %other
  %q = getelementptr inbounds float, ptr addrspace(1) %out, i64 %to
  store float %tv, ptr addrspace(1) %q
  %other.next = add nuw nsw i64 %other, 1
  %others.more = icmp ult i64 %other.next, %count
  br i1 %others.more, label %others, label %y2.next, !llvm.loop !2
y2.next:
  %u2.next = add nuw nsw i64 %u2, 1
  %u2.more = icmp ult i64 %u2.next, 1
  br i1 %u2.more, label %y2, label %group.next
group.next:
  %number.next = add i64 %number, 1
  %groups.more = icmp ult i64 %number.next, 100
  br i1 %groups.more, label %group, label %done
done:
  ret void
}

!0 = distinct !{!0, !1}
!1 = !{!"quern.item-loop"}
!2 = distinct !{!2, !1}
!4 = !{}
