; SPDX-License-Identifier: Apache-2.0
; SPDX-FileCopyrightText: The Quern authors
; Independent work keeps the units busy while the chain waits.
; RUN: %quernc --passes="print<recurrence-latency>" %s 2>&1 >/dev/null | FileCheck %s

; CHECK-LABEL: Recurrence latency of 'busy':
; CHECK-NEXT: loop loop: recurrence 4.0 cycles, resources {{[89]|1[0-9]}}.{{.}} cycles,
; CHECK-NEXT: interleave count 1
define void @busy(ptr noalias %in, ptr noalias %out, i32 %n, i64 %count) {
entry:
  br label %items
items:
  %item = phi i64 [ 0, %entry ], [ %item.next, %next ]
  %p = getelementptr inbounds float, ptr %in, i64 %item
  %x = load float, ptr %p
  br label %loop
loop:
  %k = phi i32 [ 0, %items ], [ %k.next, %loop ]
  %a = phi float [ %x, %items ], [ %a.next, %loop ]
  %w0 = fmul float %x, 2.0
  %w1 = fmul float %w0, 3.0
  %w2 = fmul float %w1, 4.0
  %w3 = fmul float %w2, 5.0
  %w4 = fmul float %w3, 6.0
  %w5 = fmul float %w4, 7.0
  %w6 = fmul float %w5, 8.0
  %w7 = fmul float %w6, 9.0
  %w8 = fmul float %w7, 10.0
  %w9 = fmul float %w8, 11.0
  %w10 = fmul float %w9, 12.0
  %w11 = fmul float %w10, 13.0
  %w12 = fmul float %w11, 14.0
  %w13 = fmul float %w12, 15.0
  %w14 = fmul float %w13, 16.0
  %w15 = fmul float %w14, 17.0
  %a.next = fadd float %a, %w15
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
