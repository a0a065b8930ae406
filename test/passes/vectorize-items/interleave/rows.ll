; SPDX-License-Identifier: Apache-2.0
; SPDX-FileCopyrightText: The Quern authors
; A row of a matrix for each work-item: every lane keeps a cache line, or one of each matrix, and all lanes together at
; most 16. The columns of a matrix are contiguous.
; RUN: %quernc --passes=vectorize-items %s | FileCheck %s

; CHECK: "quern-plans"="VF=8, IC=2,
; CHECK: "quern-plans"="VF=8, IC=1,
; CHECK: "quern-plans"="VF=8, IC=4,
define void @rows(ptr noalias %m0, ptr noalias %out0, i64 %n, i64 %count) {
entry:
  br label %items
items:
  %item = phi i64 [ 0, %entry ], [ %item.next, %next ]
  %row = mul nuw nsw i64 %item, %n
  br label %loop
loop:
  %k = phi i64 [ 0, %items ], [ %k.next, %loop ]
  %s0.last = phi float [ 0.0, %items ], [ %s0, %loop ]
  %at = add nuw nsw i64 %row, %k
  %p0 = getelementptr inbounds float, ptr %m0, i64 %at
  %x0 = load float, ptr %p0
  %s0 = fadd float %s0.last, %x0
  %k.next = add nuw nsw i64 %k, 1
  %again = icmp ult i64 %k.next, %n
  br i1 %again, label %loop, label %next
next:
  %q0 = getelementptr inbounds float, ptr %out0, i64 %item
  store float %s0, ptr %q0
  %item.next = add nuw nsw i64 %item, 1
  %more = icmp ult i64 %item.next, %count
  br i1 %more, label %items, label %done, !llvm.loop !0
done:
  ret void
}

define void @two_matrices(ptr noalias %m0, ptr noalias %out0, ptr noalias %m1, ptr noalias %out1, i64 %n, i64 %count) {
entry:
  br label %items
items:
  %item = phi i64 [ 0, %entry ], [ %item.next, %next ]
  %row = mul nuw nsw i64 %item, %n
  br label %loop
loop:
  %k = phi i64 [ 0, %items ], [ %k.next, %loop ]
  %s0.last = phi float [ 0.0, %items ], [ %s0, %loop ]
  %s1.last = phi float [ 0.0, %items ], [ %s1, %loop ]
  %at = add nuw nsw i64 %row, %k
  %p0 = getelementptr inbounds float, ptr %m0, i64 %at
  %x0 = load float, ptr %p0
  %s0 = fadd float %s0.last, %x0
  %p1 = getelementptr inbounds float, ptr %m1, i64 %at
  %x1 = load float, ptr %p1
  %s1 = fadd float %s1.last, %x1
  %k.next = add nuw nsw i64 %k, 1
  %again = icmp ult i64 %k.next, %n
  br i1 %again, label %loop, label %next
next:
  %q0 = getelementptr inbounds float, ptr %out0, i64 %item
  store float %s0, ptr %q0
  %q1 = getelementptr inbounds float, ptr %out1, i64 %item
  store float %s1, ptr %q1
  %item.next = add nuw nsw i64 %item, 1
  %more = icmp ult i64 %item.next, %count
  br i1 %more, label %items, label %done, !llvm.loop !0
done:
  ret void
}

define void @columns(ptr noalias %m0, ptr noalias %out0, i64 %n, i64 %count) {
entry:
  br label %items
items:
  %item = phi i64 [ 0, %entry ], [ %item.next, %next ]
  br label %loop
loop:
  %k = phi i64 [ 0, %items ], [ %k.next, %loop ]
  %s0.last = phi float [ 0.0, %items ], [ %s0, %loop ]
  %column = mul nuw nsw i64 %k, %count
  %at = add nuw nsw i64 %column, %item
  %p0 = getelementptr inbounds float, ptr %m0, i64 %at
  %x0 = load float, ptr %p0
  %s0 = fadd float %s0.last, %x0
  %k.next = add nuw nsw i64 %k, 1
  %again = icmp ult i64 %k.next, %n
  br i1 %again, label %loop, label %next
next:
  %q0 = getelementptr inbounds float, ptr %out0, i64 %item
  store float %s0, ptr %q0
  %item.next = add nuw nsw i64 %item, 1
  %more = icmp ult i64 %item.next, %count
  br i1 %more, label %items, label %done, !llvm.loop !0
done:
  ret void
}

!0 = distinct !{!0, !1}
!1 = !{!"quern.item-loop"}
