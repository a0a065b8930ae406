; SPDX-License-Identifier: Apache-2.0
; SPDX-FileCopyrightText: The Quern authors
; The trip count of the inner loop changes with the outer one's iterations, as in a selection network: both are
; unrolled, the outer one first. A hint to unroll a loop is no hindrance, one with a number is.
; RUN: %quernc --passes='function(favor-private-arrays,loop(indvars,loop-unroll-full),sroa)' %s | FileCheck %s
; RUN: %quernc --passes='function(favor-private-arrays)' %s | FileCheck %s --check-prefix=MARKED

; MARKED-LABEL: @triangular(
; MARKED: br i1 %j.more, label %inner, label %outer.next, !llvm.loop [[INNER:![0-9]+]]
; MARKED: br i1 %more, label %outer, label %done, !llvm.loop [[OUTER:![0-9]+]]
; MARKED-LABEL: @numbered(
; MARKED: br i1 %more, label %loop, label %done, !llvm.loop [[NUMBERED:![0-9]+]]
; MARKED: [[INNER]] = distinct !{[[INNER]], [[FULL:![0-9]+]]}
; MARKED: [[FULL]] = !{!"llvm.loop.unroll.full"
; MARKED: [[OUTER]] = distinct !{[[OUTER]], {{.*}}[[FULL]]
; MARKED: [[NUMBERED]] = distinct !{[[NUMBERED]], ![[#]]}
; CHECK-LABEL: @triangular(
; CHECK-NOT: alloca
; CHECK-NOT: phi
; CHECK: ret void
define void @triangular(ptr %out) {
entry:
  %values = alloca [5 x i32]
  store i32 1, ptr %values
  br label %outer
outer:
  %i = phi i32 [ 1, %entry ], [ %i.next, %outer.next ]
  br label %inner
inner:
  %j = phi i32 [ 0, %outer ], [ %j.next, %inner ]
  %p = getelementptr i32, ptr %values, i32 %j
  %v = load i32, ptr %p
  %w = mul i32 %v, 3
  %q = getelementptr i32, ptr %values, i32 %i
  store i32 %w, ptr %q
  %j.next = add nuw nsw i32 %j, 1
  %j.more = icmp ult i32 %j.next, %i
  br i1 %j.more, label %inner, label %outer.next
outer.next:
  %i.next = add nuw nsw i32 %i, 1
  %more = icmp ult i32 %i.next, 5
  br i1 %more, label %outer, label %done, !llvm.loop !0
done:
  %last = getelementptr i32, ptr %values, i32 4
  %result = load i32, ptr %last
  store i32 %result, ptr %out
  ret void
}

; CHECK-LABEL: @numbered(
; CHECK: alloca [64 x i32]
; CHECK: phi
; CHECK: ret void
define void @numbered(ptr %out) {
entry:
  %values = alloca [64 x i32]
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %i.next, %loop ]
  %p = getelementptr i32, ptr %values, i32 %i
  store i32 %i, ptr %p
  %i.next = add nuw nsw i32 %i, 1
  %more = icmp ult i32 %i.next, 64
  br i1 %more, label %loop, label %done, !llvm.loop !2
done:
  %last = getelementptr i32, ptr %values, i32 4
  %result = load i32, ptr %last
  store i32 %result, ptr %out
  ret void
}

!0 = distinct !{!0, !1}
!1 = !{!"llvm.loop.unroll.enable"}
!2 = distinct !{!2, !3}
!3 = !{!"llvm.loop.unroll.count", i32 2}
