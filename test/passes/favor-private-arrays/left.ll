; SPDX-License-Identifier: Apache-2.0
; SPDX-FileCopyrightText: The Quern authors
; A loop with a hint of its own and one with a barrier are left as they are.
; RUN: %quernc --passes='function(favor-private-arrays)' %s | FileCheck %s
; CHECK-NOT: llvm.loop.unroll.full
; CHECK: !"llvm.loop.unroll.disable"
; CHECK-NOT: llvm.loop.unroll.full

define void @hint(ptr %out) {
entry:
  %array = alloca [40 x i32], align 4
  br label %fill

fill:
  %i = phi i64 [ 0, %entry ], [ %next, %fill ]
  %element = getelementptr i32, ptr %array, i64 %i
  store i32 1, ptr %element
  %next = add nuw i64 %i, 1
  %done = icmp eq i64 %next, 40
  br i1 %done, label %exit, label %fill, !llvm.loop !0

exit:
  ret void
}

define void @barrier(ptr %out) {
entry:
  %array = alloca [40 x i32], align 4
  br label %fill

fill:
  %i = phi i64 [ 0, %entry ], [ %next, %fill ]
  %element = getelementptr i32, ptr %array, i64 %i
  store i32 1, ptr %element
  call void @wait() convergent
  %next = add nuw i64 %i, 1
  %done = icmp eq i64 %next, 40
  br i1 %done, label %exit, label %fill

exit:
  ret void
}

declare void @wait() convergent

!0 = distinct !{!0, !1}
!1 = !{!"llvm.loop.unroll.disable"}
