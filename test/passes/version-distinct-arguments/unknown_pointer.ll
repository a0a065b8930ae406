; SPDX-License-Identifier: Apache-2.0
; SPDX-FileCopyrightText: The Quern authors
; What is loaded through a pointer out of memory may be anywhere: the store stays in the loop, and there is no version.
; RUN: %quernc --passes=version-distinct-arguments %s | FileCheck %s

; CHECK-LABEL: define void @f(
; CHECK-NOT: __quern_distinct_
define void @f(ptr noalias readonly %args, i64 %items, i64 %n) {
entry:
  %out = load ptr, ptr %args, align 8, !invariant.load !0, !quern-argument !1
  %second = getelementptr inbounds i8, ptr %args, i64 8
  %in = load ptr, ptr %second, align 8, !invariant.load !0, !quern-argument !2
  %unknown = load ptr, ptr %in, align 8
  br label %item

item:
  %x = phi i64 [ 0, %entry ], [ %next.x, %latch ]
  %to = getelementptr float, ptr %out, i64 %x
  %row = mul i64 %x, %n
  br label %loop

loop:
  %j = phi i64 [ 0, %item ], [ %next.j, %loop ]
  %old = phi float [ 0.0, %item ], [ %sum, %loop ]
  %at = add i64 %row, %j
  %from = getelementptr float, ptr %unknown, i64 %at
  %element = load float, ptr %from, align 4
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
