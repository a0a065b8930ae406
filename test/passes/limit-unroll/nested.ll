; SPDX-License-Identifier: Apache-2.0
; SPDX-FileCopyrightText: The Quern authors
; Loops inside of each other multiply: the inner one is unrolled, the outer one no longer.
; RUN: %quernc --passes='loop(limit-unroll,loop-unroll-full)' %s | FileCheck %s

; CHECK-LABEL: @nested(
; CHECK: %i = phi i32
; CHECK-COUNT-200: store volatile
; CHECK-NOT: store volatile
; CHECK: br i1
; CHECK: ret void
define void @nested(ptr %out) {
entry:
  br label %outer

outer:
  %i = phi i32 [ 0, %entry ], [ %next.i, %latch ]
  br label %inner

inner:
  %j = phi i32 [ 0, %outer ], [ %next.j, %inner ]
  store volatile i32 %i, ptr %out
  %next.j = add i32 %j, 1
  %more.j = icmp ult i32 %next.j, 200
  br i1 %more.j, label %inner, label %latch, !llvm.loop !0

latch:
  %next.i = add i32 %i, 1
  %more.i = icmp ult i32 %next.i, 200
  br i1 %more.i, label %outer, label %exit, !llvm.loop !1

exit:
  ret void
}

!0 = distinct !{!0, !2}
!1 = distinct !{!1, !2}
!2 = !{!"llvm.loop.unroll.full"}
