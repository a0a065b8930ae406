; SPDX-License-Identifier: Apache-2.0
; SPDX-FileCopyrightText: The Quern authors
; A sum is its own live-out value where all work-items of an iteration add to it, here after a branch of the loop. It
; needs a phi of its own where some may leave the loop before.
; RUN: %quernc --passes="canonicalize-items" %s | FileCheck %s

; CHECK-LABEL: @after(
; CHECK: phi float [ %[[SUM:sum.next[0-9]*]], %{{[a-z0-9.]+}} ], [ %[[SUM]], %{{[a-z0-9.]+}} ]
; CHECK-NOT: live.out
; CHECK-LABEL: @left_before(
; CHECK: %live.out = phi float
define void @after(ptr noalias %in, ptr noalias %out, i64 %count) {
entry:
  br label %items
items:
  %item = phi i64 [ 0, %entry ], [ %item.next, %next ]
  %p = getelementptr inbounds i32, ptr %in, i64 %item
  %n = load i32, ptr %p
  br label %loop
loop:
  %k = phi i32 [ 0, %items ], [ %k.next, %join ]
  %sum = phi float [ 0.0, %items ], [ %sum.next, %join ]
  %kn = add i32 %k, %n
  %f = sitofp i32 %kn to float
  %odd = trunc i32 %kn to i1
  br i1 %odd, label %then, label %join
then:
  %g = fmul float %f, 3.0
  br label %join
join:
  %v = phi float [ %f, %loop ], [ %g, %then ]
  %sum.next = fadd float %sum, %v
  %k.next = add i32 %k, 1
  %again = icmp ult i32 %k.next, %n
  br i1 %again, label %loop, label %next
next:
  %result = phi float [ %sum.next, %join ]
  %q = getelementptr inbounds float, ptr %out, i64 %item
  store float %result, ptr %q
  %item.next = add nuw nsw i64 %item, 1
  %more = icmp ult i64 %item.next, %count
  br i1 %more, label %items, label %done, !llvm.loop !0
done:
  ret void
}

define void @left_before(ptr noalias %in, ptr noalias %out, i64 %count) {
entry:
  br label %items
items:
  %item = phi i64 [ 0, %entry ], [ %item.next, %next ]
  %p = getelementptr inbounds i32, ptr %in, i64 %item
  %n = load i32, ptr %p
  br label %loop
loop:
  %k = phi i32 [ 0, %items ], [ %k.next, %join ]
  %sum = phi float [ 0.0, %items ], [ %sum.next, %join ]
  %kn = add i32 %k, %n
  %f = sitofp i32 %kn to float
  %odd = trunc i32 %kn to i1
  br i1 %odd, label %then, label %else
then:
  %g = fmul float %f, 3.0
  br label %join
else:
  %even = icmp sgt i32 %n, 100
  br i1 %even, label %next, label %join
join:
  %v = phi float [ %f, %else ], [ %g, %then ]
  %sum.next = fadd float %sum, %v
  %k.next = add i32 %k, 1
  %again = icmp ult i32 %k.next, %n
  br i1 %again, label %loop, label %next
next:
  %result = phi float [ %sum.next, %join ], [ %sum, %else ]
  %q = getelementptr inbounds float, ptr %out, i64 %item
  store float %result, ptr %q
  %item.next = add nuw nsw i64 %item, 1
  %more = icmp ult i64 %item.next, %count
  br i1 %more, label %items, label %done, !llvm.loop !0
done:
  ret void
}

!0 = distinct !{!0, !1}
!1 = !{!"quern.item-loop"}
