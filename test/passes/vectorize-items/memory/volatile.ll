; SPDX-License-Identifier: Apache-2.0
; SPDX-FileCopyrightText: The Quern authors
; Volatile accesses of contiguous elements are volatile accesses of vectors. Under a mask that some lanes are not in,
; and where the elements are not contiguous, lanes access one after the other.
; RUN: %quernc --passes="vectorize-items<width=8>" %s | FileCheck %s

; CHECK-LABEL: @all(
; CHECK: icmp eq i8 {{%.*}}, -1
; CHECK: contiguous:
; CHECK: load volatile <8 x i32>
; CHECK: lane.loop:
; CHECK: load volatile i32
; CHECK: store volatile <8 x i32>
; CHECK-NOT: @llvm.masked
; CHECK-LABEL: @every_other(
define void @all(ptr addrspace(1) noalias %in, ptr addrspace(1) noalias %out, i64 %count) {
entry:
  br label %items
items:
  %item = phi i64 [ 0, %entry ], [ %item.next, %next ]
  %p = getelementptr inbounds i32, ptr addrspace(1) %in, i64 %item
  %q = getelementptr inbounds i32, ptr addrspace(1) %out, i64 %item
  %x = load volatile i32, ptr addrspace(1) %p, align 4
  %y = add i32 %x, 1
  store volatile i32 %y, ptr addrspace(1) %q, align 4
  br label %next
next:
  %item.next = add nuw nsw i64 %item, 1
  %more = icmp ult i64 %item.next, %count
  br i1 %more, label %items, label %done, !llvm.loop !0
done:
  ret void
}

; CHECK: load volatile i32
; CHECK-NOT: load volatile <
; CHECK-NOT: @llvm.masked.gather
; CHECK: ret void
define void @every_other(ptr addrspace(1) noalias %in, ptr addrspace(1) noalias %out, i64 %count) {
entry:
  br label %items
items:
  %item = phi i64 [ 0, %entry ], [ %item.next, %next ]
  %twice = shl nuw nsw i64 %item, 1
  %p = getelementptr inbounds i32, ptr addrspace(1) %in, i64 %twice
  %q = getelementptr inbounds i32, ptr addrspace(1) %out, i64 %item
  %x = load volatile i32, ptr addrspace(1) %p, align 4
  store i32 %x, ptr addrspace(1) %q, align 4
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
