; SPDX-License-Identifier: Apache-2.0
; SPDX-FileCopyrightText: The Quern authors
; A function that is called may round differently in vectors if its operations may: then time does not choose.
; RUN: %quernc --passes=vectorize-items %s | FileCheck %s

; CHECK: define void @exact({{.*}} #[[UNDECIDED:[0-9]+]]
; CHECK: define void @contracted(
; CHECK-NOT: #[[UNDECIDED]] {
; CHECK: attributes #[[UNDECIDED]] = {{.*}}"quern-undecided"
define void @exact(ptr %table, ptr noalias %out, float %x, i64 %count) {
entry:
  br label %items
items:
  %item = phi i64 [ 0, %entry ], [ %item.next, %items ]
  %p = getelementptr inbounds i32, ptr %table, i64 %item
  %r = cmpxchg ptr %p, i32 0, i32 1 monotonic monotonic
  %y = call float @sum(float %x, i64 %item)
  %q = getelementptr inbounds float, ptr %out, i64 %item
  store float %y, ptr %q
  %item.next = add nuw nsw i64 %item, 1
  %more = icmp ult i64 %item.next, %count
  br i1 %more, label %items, label %done, !llvm.loop !0
done:
  ret void
}

define void @contracted(ptr %table, ptr noalias %out, float %x, i64 %count) {
entry:
  br label %items
items:
  %item = phi i64 [ 0, %entry ], [ %item.next, %items ]
  %p = getelementptr inbounds i32, ptr %table, i64 %item
  %r = cmpxchg ptr %p, i32 0, i32 1 monotonic monotonic
  %y = call float @contracted_sum(float %x, i64 %item)
  %q = getelementptr inbounds float, ptr %out, i64 %item
  store float %y, ptr %q
  %item.next = add nuw nsw i64 %item, 1
  %more = icmp ult i64 %item.next, %count
  br i1 %more, label %items, label %done, !llvm.loop !1
done:
  ret void
}

define internal float @sum(float %x, i64 %item) memory(none) noinline {
  %y = uitofp i64 %item to float
  %z = fmul float %y, %x
  %sum = fadd float %z, %x
  ret float %sum
}

define internal float @contracted_sum(float %x, i64 %item) memory(none) noinline {
  %y = uitofp i64 %item to float
  %z = fmul contract float %y, %x
  %sum = fadd contract float %z, %x
  ret float %sum
}

!0 = distinct !{!0, !2}
!1 = distinct !{!1, !2}
!2 = !{!"quern.item-loop"}
