; SPDX-License-Identifier: Apache-2.0
; SPDX-FileCopyrightText: The Quern authors
; The order of floating-point additions to global memory differs from run to run, so that the choice between both
; variants may depend on time, whatever the flags of other operations permit. In local memory the order, and with it the
; sum, is the work-group's. A maximum does not depend on the order.
; RUN: %quernc --passes=vectorize-items %s | FileCheck %s

; CHECK: define void @global({{.*}} #[[UNDECIDED:[0-9]+]]
; CHECK: define void @local(
; CHECK: define void @maximum(
; CHECK-NOT: #[[UNDECIDED]] {
; CHECK: attributes #[[UNDECIDED]] = {{.*}}"quern-undecided"
define void @global(ptr %table, ptr addrspace(1) %sum, float %x, i64 %count) {
entry:
  br label %items
items:
  %item = phi i64 [ 0, %entry ], [ %item.next, %items ]
  %p = getelementptr inbounds i32, ptr %table, i64 %item
  %r = cmpxchg ptr %p, i32 0, i32 1 monotonic monotonic
  %i = trunc i64 %item to i32
  %f = uitofp i32 %i to float
  %y = fmul fast float %f, %x
  %q = getelementptr inbounds float, ptr addrspace(1) %sum, i64 %item
  %s = atomicrmw fadd ptr addrspace(1) %q, float %y monotonic
  %item.next = add nuw nsw i64 %item, 1
  %more = icmp ult i64 %item.next, %count
  br i1 %more, label %items, label %done, !llvm.loop !0
done:
  ret void
}

define void @local(ptr %table, ptr addrspace(3) %sum, float %x, i64 %count) {
entry:
  br label %items
items:
  %item = phi i64 [ 0, %entry ], [ %item.next, %items ]
  %p = getelementptr inbounds i32, ptr %table, i64 %item
  %r = cmpxchg ptr %p, i32 0, i32 1 monotonic monotonic
  %q = getelementptr inbounds float, ptr addrspace(3) %sum, i64 %item
  %s = atomicrmw fadd ptr addrspace(3) %q, float %x monotonic
  %item.next = add nuw nsw i64 %item, 1
  %more = icmp ult i64 %item.next, %count
  br i1 %more, label %items, label %done, !llvm.loop !1
done:
  ret void
}

define void @maximum(ptr %table, ptr addrspace(1) %most, float %x, i64 %count) {
entry:
  br label %items
items:
  %item = phi i64 [ 0, %entry ], [ %item.next, %items ]
  %p = getelementptr inbounds i32, ptr %table, i64 %item
  %r = cmpxchg ptr %p, i32 0, i32 1 monotonic monotonic
  %i = trunc i64 %item to i32
  %f = uitofp i32 %i to float
  %y = fmul fast float %f, %x
  %q = getelementptr inbounds float, ptr addrspace(1) %most, i64 %item
  %s = atomicrmw fmax ptr addrspace(1) %q, float %y monotonic
  %item.next = add nuw nsw i64 %item, 1
  %more = icmp ult i64 %item.next, %count
  br i1 %more, label %items, label %done, !llvm.loop !3
done:
  ret void
}

!0 = distinct !{!0, !2}
!1 = distinct !{!1, !2}
!2 = !{!"quern.item-loop"}
!3 = distinct !{!3, !2}
