; SPDX-License-Identifier: Apache-2.0
; SPDX-FileCopyrightText: The Quern authors
; In nested loops a store that leaves the inner one is a gain. An address that may be in either buffer has both scopes.
; RUN: %quernc --passes=version-distinct-arguments %s | FileCheck %s

; CHECK-LABEL: define void @__quern_distinct_f(
; CHECK: loop:
; CHECK: load float, {{.*}}!alias.scope ![[BOTH:[0-9]+]], !noalias ![[OUT:[0-9]+]]
; CHECK-NOT: store float
; CHECK: br i1 %ends,
; CHECK: store float {{.*}}!alias.scope ![[OUT]], !noalias ![[BOTH]]
; CHECK: ![[BOTH]] = !{!{{[0-9]+}}, !{{[0-9]+}}}
define void @f(ptr noalias readonly %args, i64 %items, i64 %n, i1 %first) {
entry:
  %out = load ptr, ptr %args, align 8, !invariant.load !0, !quern-argument !1
  %second = getelementptr inbounds i8, ptr %args, i64 8
  %in = load ptr, ptr %second, align 8, !invariant.load !0, !quern-argument !2
  %third = getelementptr inbounds i8, ptr %args, i64 16
  %other = load ptr, ptr %third, align 8, !invariant.load !0, !quern-argument !5
  %either = select i1 %first, ptr %in, ptr %other
  br label %item

item:
  %x = phi i64 [ 0, %entry ], [ %next.x, %latch ]
  br label %outer

outer:
  %i = phi i64 [ 0, %item ], [ %next.i, %outer.latch ]
  %place = add i64 %x, %i
  %to = getelementptr float, ptr %out, i64 %place
  br label %loop

loop:
  %j = phi i64 [ 0, %outer ], [ %next.j, %loop ]
  %from = getelementptr float, ptr %either, i64 %j
  %element = load float, ptr %from, align 4
  %old = load float, ptr %to, align 4
  %sum = fadd float %old, %element
  store float %sum, ptr %to, align 4
  %next.j = add nuw i64 %j, 1
  %ends = icmp eq i64 %next.j, %n
  br i1 %ends, label %outer.latch, label %loop

outer.latch:
  %next.i = add nuw i64 %i, 1
  %outer.ends = icmp eq i64 %next.i, %n
  br i1 %outer.ends, label %latch, label %outer

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
!5 = !{i32 2}
