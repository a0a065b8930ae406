; SPDX-License-Identifier: Apache-2.0
; SPDX-FileCopyrightText: The Quern authors
; Exchanges happen one by one, in the order of lanes.
; RUN: %quernc --passes="vectorize-items<width=8>" %s | FileCheck %s

; CHECK-LABEL: @atomic_scalarized(
; CHECK: %[[X:.*]] = extractelement <8 x i32>
; CHECK: %[[OLD:.*]] = atomicrmw xchg ptr %slot, i32 %[[X]] monotonic
; CHECK: insertelement <8 x i32> %{{.*}}, i32 %[[OLD]]
define void @atomic_scalarized(ptr noalias %in, ptr noalias %out, ptr %slot, i64 %count) {
entry:
  br label %items
items:
  %item = phi i64 [ 0, %entry ], [ %item.next, %items ]
  %p = getelementptr inbounds i32, ptr %in, i64 %item
  %x = load i32, ptr %p
  %old = atomicrmw xchg ptr %slot, i32 %x monotonic
  %q = getelementptr inbounds i32, ptr %out, i64 %item
  store i32 %old, ptr %q
  %item.next = add nuw nsw i64 %item, 1
  %more = icmp ult i64 %item.next, %count
  br i1 %more, label %items, label %done, !llvm.loop !0
done:
  ret void
}

!0 = distinct !{!0, !1}
!1 = !{!"quern.item-loop"}
