; SPDX-License-Identifier: Apache-2.0
; SPDX-FileCopyrightText: The Quern authors
; The sum of each work-item stays in a register where the buffers do not overlap: one store behind the loop.
; RUN: %quernc --passes=version-distinct-arguments %s | FileCheck %s

; CHECK-LABEL: define void @f(
; CHECK: loop:
; CHECK: store float
; CHECK: br i1 %ends, label %latch, label %loop
; CHECK-LABEL: define void @__quern_distinct_f(
; CHECK: loop:
; CHECK-NOT: store float
; CHECK: br i1 %ends,
; CHECK: store float {{.*}}!alias.scope ![[OUT:[0-9]+]], !noalias ![[IN:[0-9]+]]
; CHECK-NOT: store float
define void @f(ptr noalias readonly %args, i64 %items, i64 %n) {
entry:
  %out = load ptr, ptr %args, align 8, !invariant.load !0, !quern-argument !1
  %second = getelementptr inbounds i8, ptr %args, i64 8
  %in = load ptr, ptr %second, align 8, !invariant.load !0, !quern-argument !2
  br label %item

item:
  %x = phi i64 [ 0, %entry ], [ %next.x, %latch ]
  %to = getelementptr float, ptr %out, i64 %x
  %row = mul i64 %x, %n
  br label %loop

loop:
  %j = phi i64 [ 0, %item ], [ %next.j, %loop ]
  %at = add i64 %row, %j
  %from = getelementptr float, ptr %in, i64 %at
  %element = load float, ptr %from, align 4
  %old = load float, ptr %to, align 4
  %sum = fadd float %old, %element
  store float %sum, ptr %to, align 4
  %next.j = add nuw i64 %j, 1
  %ends = icmp eq i64 %next.j, %n
  br i1 %ends, label %latch, label %loop

latch:
  %next.x = add nuw i64 %x, 1
  %more = icmp ult i64 %next.x, %items
  br i1 %more, label %item, label %exit, !llvm.loop !3

exit:
  ret void
}

!0 = !{}
!1 = !{i32 0}
!2 = !{i32 1}
!3 = distinct !{!3, !4}
!4 = !{!"quern.item-loop"}
