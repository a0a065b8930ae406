; SPDX-License-Identifier: Apache-2.0
; SPDX-FileCopyrightText: The Quern authors
; Hints that ask for too many instructions are dropped; other hints of the loop stay.
; RUN: %quernc --passes='loop(limit-unroll)' %s | FileCheck %s

; CHECK-LABEL: @million(
; CHECK: br i1 {{.*}}, !llvm.loop ![[MILLION:[0-9]+]]
define void @million(ptr %out) {
entry:
  br label %loop

loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %old = load volatile i32, ptr %out
  store volatile i32 %i, ptr %out
  %next = add i32 %i, 1
  %more = icmp ult i32 %next, 1000000
  br i1 %more, label %loop, label %exit, !llvm.loop !0

exit:
  ret void
}

; The number of iterations is not known.
; CHECK-LABEL: @counted(
; CHECK: br i1 {{.*}}, !llvm.loop ![[COUNTED:[0-9]+]]
define void @counted(ptr %out, i32 %count) {
entry:
  br label %loop

loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  store volatile i32 %i, ptr %out
  %next = add i32 %i, 1
  %more = icmp ult i32 %next, %count
  br i1 %more, label %loop, label %exit, !llvm.loop !3

exit:
  ret void
}

; CHECK-DAG: ![[MILLION]] = distinct !{![[MILLION]], ![[PROGRESS:[0-9]+]]}
; CHECK-DAG: ![[PROGRESS]] = !{!"llvm.loop.mustprogress"}
; CHECK-DAG: ![[COUNTED]] = distinct !{![[COUNTED]], ![[PROGRESS]]}
; CHECK-NOT: llvm.loop.unroll
!0 = distinct !{!0, !1, !2}
!1 = !{!"llvm.loop.mustprogress"}
!2 = !{!"llvm.loop.unroll.full"}
!3 = distinct !{!3, !1, !4}
!4 = !{!"llvm.loop.unroll.count", i32 1000000}
