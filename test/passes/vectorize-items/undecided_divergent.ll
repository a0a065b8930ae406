; SPDX-License-Identifier: Apache-2.0
; SPDX-FileCopyrightText: The Quern authors
; How often each work-item takes a branch of a loop that it goes through by itself is not known, so that vectors are
; measured even where they look several times faster. Where all iterate alike, the estimate decides.
; RUN: env QUERN_CPU=x86-64-v2 %quernc --passes=vectorize-items %s | FileCheck %s

; CHECK: define void @divergent({{.*}} #[[UNDECIDED:[0-9]+]]
; CHECK-NOT: <4 x i32>
; CHECK: define void @uniform({{.*}} #[[VECTORIZED:[0-9]+]]
; CHECK: <4 x i32>
; CHECK: attributes #[[UNDECIDED]] = {{.*}}"quern-undecided"
; CHECK: attributes #[[VECTORIZED]] = {{.*}}"quern-vectorized"="4"
define void @divergent(ptr %in, ptr noalias %out, i64 %count) {
entry:
  br label %items
items:
  %item = phi i64 [ 0, %entry ], [ %item.next, %next ]
  %p = getelementptr inbounds i32, ptr %in, i64 %item
  %first = load i32, ptr %p
  br label %loop
loop:
  %n = phi i32 [ %first, %items ], [ %m, %latch ]
  %steps = phi i32 [ 0, %items ], [ %steps.next, %latch ]
  %bit = and i32 %n, 1
  %odd = icmp ne i32 %bit, 0
  br i1 %odd, label %then, label %else
then:
  %a = mul i32 %n, 3
  %b = add i32 %a, 1
  %b2 = mul i32 %b, %b
  %b3 = xor i32 %b2, 77
  %c = xor i32 %b3, %steps
  br label %latch
else:
  %d = lshr i32 %n, 1
  %e = mul i32 %d, %first
  %e2 = add i32 %e, 19
  %e3 = mul i32 %e2, %e2
  %f = xor i32 %e3, %steps
  br label %latch
latch:
  %m = phi i32 [ %c, %then ], [ %f, %else ]
  %steps.next = add i32 %steps, 1
  %again = icmp ugt i32 %m, 100
  br i1 %again, label %loop, label %next
next:
  %q = getelementptr inbounds i32, ptr %out, i64 %item
  store i32 %steps.next, ptr %q
  %item.next = add nuw nsw i64 %item, 1
  %more = icmp ult i64 %item.next, %count
  br i1 %more, label %items, label %done, !llvm.loop !0
done:
  ret void
}

define void @uniform(ptr %in, ptr noalias %out, i64 %count) {
entry:
  br label %items
items:
  %item = phi i64 [ 0, %entry ], [ %item.next, %next ]
  %p = getelementptr inbounds i32, ptr %in, i64 %item
  %first = load i32, ptr %p
  br label %loop
loop:
  %n = phi i32 [ %first, %items ], [ %m, %latch ]
  %steps = phi i32 [ 0, %items ], [ %steps.next, %latch ]
  %bit = and i32 %n, 1
  %odd = icmp ne i32 %bit, 0
  br i1 %odd, label %then, label %else
then:
  %a = mul i32 %n, 3
  %b = add i32 %a, 1
  %b2 = mul i32 %b, %b
  %b3 = xor i32 %b2, 77
  %c = xor i32 %b3, %steps
  br label %latch
else:
  %d = lshr i32 %n, 1
  %e = mul i32 %d, %first
  %e2 = add i32 %e, 19
  %e3 = mul i32 %e2, %e2
  %f = xor i32 %e3, %steps
  br label %latch
latch:
  %m = phi i32 [ %c, %then ], [ %f, %else ]
  %steps.next = add i32 %steps, 1
  %again = icmp ult i32 %steps.next, 100
  br i1 %again, label %loop, label %next
next:
  %q = getelementptr inbounds i32, ptr %out, i64 %item
  store i32 %m, ptr %q
  %item.next = add nuw nsw i64 %item, 1
  %more = icmp ult i64 %item.next, %count
  br i1 %more, label %items, label %done, !llvm.loop !1
done:
  ret void
}

!0 = distinct !{!0, !2}
!1 = distinct !{!1, !2}
!2 = !{!"quern.item-loop"}
