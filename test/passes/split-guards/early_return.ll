; SPDX-License-Identifier: Apache-2.0
; SPDX-FileCopyrightText: The Quern authors
; if (x >= w || y < 1 || z < 1) return: the negated form, of which all belongs to the bound: no second branch.
; RUN: %quernc --passes=split-guards %s | FileCheck %s

; CHECK-LABEL: @early_return(
; CHECK: entry:
; CHECK-DAG: %[[Y:.*]] = xor i1 %{{.*}}, true
; CHECK-DAG: %[[Z:.*]] = xor i1 %{{.*}}, true
; CHECK: %[[ROW:.*]] = and i1 %[[Y]], %[[Z]]
; CHECK: items:
; CHECK: %[[LEFT:.*]] = icmp slt i32 %x, %end
; CHECK-NEXT: %[[FIRST:.*]] = select i1 %[[ROW]], i1 %[[LEFT]], i1 false
; CHECK-NEXT: br i1 %[[FIRST]], label %body, label %next
; CHECK-NOT: guard
define void @early_return(ptr noalias %out, i64 %count, i32 %end, i1 %no.y, i1 %no.z) {
entry:
  br label %items
items:
  %item = phi i64 [ 0, %entry ], [ %item.next, %next ]
  %x = trunc i64 %item to i32
  %outside = icmp sge i32 %x, %end
  %a = select i1 %outside, i1 true, i1 %no.y
  %b = select i1 %a, i1 true, i1 %no.z
  br i1 %b, label %next, label %body
body:
  %q = getelementptr inbounds i32, ptr %out, i64 %item
  store i32 7, ptr %q
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
