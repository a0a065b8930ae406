; SPDX-License-Identifier: Apache-2.0
; SPDX-FileCopyrightText: The Quern authors
; Gathers make an estimate uncertain. Vectors that are estimated to be slower are tried all the same, but not those of a
; large function: they take long to compile. The loops of both are unrolled.
; RUN: %quernc --passes=optimize-scalar,vectorize-items %s | FileCheck %s

target triple = "x86_64-pc-linux-gnu"

; CHECK: define void @small({{.*}} #[[SMALL:[0-9]+]]
; CHECK: define void @large({{.*}} #[[LARGE:[0-9]+]]
; CHECK: attributes #[[SMALL]] = {{.*}}"quern-plans"="VF={{.*}}, undecided\0A"
; CHECK: attributes #[[LARGE]] = {{.*}}"quern-plans"="VF={{.*}}, unprofitable\0A"
define void @small(ptr %table, ptr noalias %out, i64 %count) #0 {
entry:
  br label %items
items:
  %item = phi i64 [ 0, %entry ], [ %item.next, %items ]
  %key = trunc i64 %item to i32
  %found = call i32 @find(ptr %table, i32 %key)
  %q = getelementptr inbounds i32, ptr %out, i64 %item
  store i32 %found, ptr %q
  %item.next = add nuw nsw i64 %item, 1
  %more = icmp ult i64 %item.next, %count
  br i1 %more, label %items, label %done, !llvm.loop !0
done:
  ret void
}

define void @large(ptr %table, ptr noalias %out, i64 %count) #0 {
entry:
  br label %items
items:
  %item = phi i64 [ 0, %entry ], [ %item.next, %items ]
  %key = trunc i64 %item to i32
  %found = call i32 @find_long(ptr %table, i32 %key)
  %q = getelementptr inbounds i32, ptr %out, i64 %item
  store i32 %found, ptr %q
  %item.next = add nuw nsw i64 %item, 1
  %more = icmp ult i64 %item.next, %count
  br i1 %more, label %items, label %done, !llvm.loop !1
done:
  ret void
}

define internal i32 @find(ptr %table, i32 %key) noinline #0 {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %i.next, %loop ]
  %x = phi i32 [ %key, %entry ], [ %y, %loop ]
  %low = and i32 %x, 255
  %index = zext i32 %low to i64
  %p = getelementptr inbounds i32, ptr %table, i64 %index
  %loaded = load i32, ptr %p
  %y = xor i32 %loaded, %x
  %i.next = add i32 %i, 1
  %more = icmp ult i32 %i.next, 100
  br i1 %more, label %loop, label %done, !llvm.loop !2
done:
  ret i32 %y
}

define internal i32 @find_long(ptr %table, i32 %key) noinline #0 {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %i.next, %loop ]
  %x = phi i32 [ %key, %entry ], [ %y, %loop ]
  %low = and i32 %x, 255
  %index = zext i32 %low to i64
  %p = getelementptr inbounds i32, ptr %table, i64 %index
  %loaded = load i32, ptr %p
  %y = xor i32 %loaded, %x
  %i.next = add i32 %i, 1
  %more = icmp ult i32 %i.next, 800
  br i1 %more, label %loop, label %done, !llvm.loop !4
done:
  ret i32 %y
}

attributes #0 = { "target-cpu"="haswell" }

!0 = distinct !{!0, !3}
!1 = distinct !{!1, !3}
!2 = distinct !{!2, !5}
!3 = !{!"quern.item-loop"}
!4 = distinct !{!4, !5}
!5 = !{!"llvm.loop.unroll.full"}
