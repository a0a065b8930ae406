; SPDX-License-Identifier: Apache-2.0
; SPDX-FileCopyrightText: The Quern authors
; Four of them.
; RUN: %quernc --passes="vectorize-items<scalar;interleave=4>" %s | FileCheck %s

; CHECK-LABEL: @four(
; CHECK: and i64 %{{.*}}, -4
; CHECK-COUNT-4: load <16 x i32>
; CHECK-COUNT-4: mul <16 x i32>
; CHECK-COUNT-4: store <16 x i32>
define void @four(ptr noalias %in, ptr noalias %out, i32 %n, i64 %count) {
entry:
  br label %items
items:
  %item = phi i64 [ 0, %entry ], [ %item.next, %next ]
  %p = getelementptr inbounds <16 x i32>, ptr %in, i64 %item
  %first = load <16 x i32>, ptr %p
  br label %loop
loop:
  %k = phi i32 [ 0, %items ], [ %k.next, %loop ]
  %a = phi <16 x i32> [ %first, %items ], [ %a.next, %loop ]
  %sum = add <16 x i32> %a, splat (i32 7)
  %a.next = mul <16 x i32> %sum, %first
  %k.next = add nuw nsw i32 %k, 1
  %k.more = icmp ult i32 %k.next, %n
  br i1 %k.more, label %loop, label %next
next:
  %q = getelementptr inbounds <16 x i32>, ptr %out, i64 %item
  store <16 x i32> %a.next, ptr %q
  %item.next = add nuw nsw i64 %item, 1
  %more = icmp ult i64 %item.next, %count
  br i1 %more, label %items, label %done, !llvm.loop !0
done:
  ret void
}

!0 = distinct !{!0, !1}
!1 = !{!"quern.item-loop"}
