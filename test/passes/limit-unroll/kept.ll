; SPDX-License-Identifier: Apache-2.0
; SPDX-FileCopyrightText: The Quern authors
; Hints for loops that stay small are obeyed: of a few iterations, also where the hint's number is far above theirs.
; RUN: %quernc --passes='loop(limit-unroll,loop-unroll-full)' %s | FileCheck %s

; CHECK-LABEL: @full(
; CHECK-NOT: phi
; CHECK-COUNT-100: store volatile
; CHECK-NOT: store volatile
; CHECK: ret void
define void @full(ptr %out) {
entry:
  br label %loop

loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  store volatile i32 %i, ptr %out
  %next = add i32 %i, 1
  %more = icmp ult i32 %next, 100
  br i1 %more, label %loop, label %exit, !llvm.loop !0

exit:
  ret void
}

; CHECK-LABEL: @more_than_there_are(
; CHECK-NOT: phi
; CHECK-COUNT-100: store volatile
; CHECK-NOT: store volatile
; CHECK: ret void
define void @more_than_there_are(ptr %out) {
entry:
  br label %loop

loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  store volatile i32 %i, ptr %out
  %next = add i32 %i, 1
  %more = icmp ult i32 %next, 100
  br i1 %more, label %loop, label %exit, !llvm.loop !3

exit:
  ret void
}

!0 = distinct !{!0, !1, !2}
!1 = !{!"llvm.loop.mustprogress"}
!2 = !{!"llvm.loop.unroll.full"}
!3 = distinct !{!3, !1, !4}
!4 = !{!"llvm.loop.unroll.count", i32 1000000}
