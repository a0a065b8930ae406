; SPDX-License-Identifier: Apache-2.0
; SPDX-FileCopyrightText: The Quern authors
; A variable that lives in one piece alone becomes its own; others stay, and the pieces get their addresses. What is
; known about memory and loops stays where it is, and pieces probe the stack as their function does.
; RUN: %quernc --passes='divide-functions<blocks=8>' %s | FileCheck %s

declare void @llvm.lifetime.start.p0(ptr)
declare void @llvm.lifetime.end.p0(ptr)
declare void @use(ptr)

; CHECK-LABEL: define void @kernel(
; CHECK-NOT: %own =
; CHECK: %common = alloca [64 x i32]
; CHECK-NOT: %own =
; CHECK: call void @kernel.piece(ptr %common, i32 %count)
; CHECK: call void @kernel.piece.1(i32 %count, ptr %common)
; CHECK-LABEL: define internal void @kernel.piece(
; CHECK-SAME: #[[ATTRIBUTES:[0-9]+]]
; CHECK: load i32, ptr %common, align 4, !alias.scope ![[SCOPES:[0-9]+]]
; CHECK: br i1 %again, label %loop, label %{{.*}}, !llvm.loop ![[LOOP:[0-9]+]]
; CHECK-LABEL: define internal void @kernel.piece.1(
; CHECK: %own = alloca [64 x i32]
; CHECK: store i32 7, ptr %common, align 4, !noalias ![[SCOPES]]
; CHECK: attributes #[[ATTRIBUTES]] = { nounwind "prefer-vector-width"="512" "probe-stack"="inline-asm"
; CHECK-SAME: "target-features"="+avx2" }
; CHECK: ![[LOOP]] = distinct !{![[LOOP]], ![[HINT:[0-9]+]]}
; CHECK: ![[HINT]] = !{!"llvm.loop.unroll.disable"}
define void @kernel(i32 %count) #0 {
entry:
  %own = alloca [64 x i32]
  %common = alloca [64 x i32]
  br label %first

first:
  %value = load i32, ptr %common, align 4, !alias.scope !0
  br label %loop

loop:
  %i = phi i32 [ %value, %first ], [ %next, %loop ]
  call void @use(ptr %common)
  %next = add i32 %i, 1
  %again = icmp ult i32 %next, %count
  br i1 %again, label %loop, label %second, !llvm.loop !3

second:
  %is_two = icmp eq i32 %count, 2
  br i1 %is_two, label %two, label %third

two:
  call void @llvm.lifetime.start.p0(ptr %own)
  call void @use(ptr %own)
  call void @llvm.lifetime.end.p0(ptr %own)
  store i32 7, ptr %common, align 4, !noalias !0
  br label %third

third:
  br label %fourth

fourth:
  br label %fifth

fifth:
  br label %done

done:
  ret void
}

attributes #0 = { nounwind "prefer-vector-width"="512" "probe-stack"="inline-asm" "target-features"="+avx2" }

!0 = !{!1}
!1 = distinct !{!1, !2}
!2 = distinct !{!2}
!3 = distinct !{!3, !4}
!4 = !{!"llvm.loop.unroll.disable"}
