; SPDX-License-Identifier: Apache-2.0
; SPDX-FileCopyrightText: The Quern authors
; Without prefetches there are none.
; RUN: %quernc --passes="vectorize-items<width=8;no-prefetch>" %s | FileCheck %s

; CHECK-LABEL: @left_out(
; CHECK-NOT: call void @llvm.prefetch
; CHECK: ret void
define void @left_out(ptr addrspace(1) noalias %in0, ptr addrspace(3) noalias %tile, ptr addrspace(1) noalias
    %out, ptr %groups, i64 %count) {
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
  %s0 = fadd float %x0, 1.0
  %t = getelementptr inbounds float, ptr addrspace(3) %tile, i64 %item
  store float %s0, ptr addrspace(3) %t
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
