; SPDX-License-Identifier: Apache-2.0
; SPDX-FileCopyrightText: The Quern authors
; What a recurrence starts with is not live in the loop: one register for %a, and one for %x.
; RUN: %quernc --passes="print<recurrence-latency>" %s 2>&1 >/dev/null | FileCheck %s

; CHECK-LABEL: Recurrence latency of 'start':
; CHECK-NEXT: loop loop: recurrence 8.0 cycles, resources {{.*}} cycles, 2 registers
define void @start(ptr noalias %in, ptr noalias %out, i32 %n, i64 %count) {
entry:
  br label %items
items:
  %item = phi i64 [ 0, %entry ], [ %item.next, %next ]
  %p = getelementptr inbounds float, ptr %in, i64 %item
  %x = load float, ptr %p
  %y = fadd float %x, 1.0
  br label %loop
loop:
  %k = phi i32 [ 0, %items ], [ %k.next, %loop ]
  %a = phi float [ %y, %items ], [ %a.next, %loop ]
  %s = fmul float %a, %x
  %a.next = fadd float %s, %x
  %k.next = add i32 %k, 1
  %again = icmp ult i32 %k.next, %n
  br i1 %again, label %loop, label %next
next:
  %q = getelementptr inbounds float, ptr %out, i64 %item
  store float %a.next, ptr %q
  %item.next = add nuw nsw i64 %item, 1
  %more = icmp ult i64 %item.next, %count
  br i1 %more, label %items, label %done, !llvm.loop !0
done:
  ret void
}

!0 = distinct !{!0, !1}
!1 = !{!"quern.item-loop"}
