; SPDX-License-Identifier: Apache-2.0
; SPDX-FileCopyrightText: The Quern authors
; What the cost model left scalar was missed, and the reason tells which numbers decided.
; RUN: %quernc --passes=vectorize-items --remarks=- -o /dev/null %s | FileCheck %s

; CHECK: --- !Analysis
; CHECK: - Plan: 'VF={{.*}}, unprofitable'
; CHECK: --- !Missed
; CHECK: - Reason: the scalar version is estimated to be faster
define void @unprofitable(ptr %table, ptr addrspace(3) %local, i64 %count) {
entry:
  br label %items
items:
  %item = phi i64 [ 0, %entry ], [ %item.next, %items ]
  %p = getelementptr inbounds i32, ptr %table, i64 %item
  %r = cmpxchg ptr %p, i32 0, i32 1 monotonic monotonic
  %old = extractvalue { i32, i1 } %r, 0
  %first = atomicrmw xchg ptr addrspace(3) %local, i32 %old monotonic
  %second = atomicrmw xchg ptr addrspace(3) %local, i32 %first monotonic
  %item.next = add nuw nsw i64 %item, 1
  %more = icmp ult i64 %item.next, %count
  br i1 %more, label %items, label %done, !llvm.loop !0
done:
  ret void
}

!0 = distinct !{!0, !1}
!1 = !{!"quern.item-loop"}
