; SPDX-License-Identifier: Apache-2.0
; SPDX-FileCopyrightText: The Quern authors
; The exits of an unrolled loop with a break: after the first one, the rest of the loop counts as run each time, as it
; would not after so many independent branches.
; RUN: %quernc --passes=vectorize-items %s | FileCheck %s

; CHECK: attributes {{.*}}"quern-plans"="VF=8, {{.*}}cost scalar={{.*}} vector={{.*}}"
; CHECK-NOT: unprofitable
define void @breaks(ptr noalias %in, ptr noalias %lengths, ptr noalias %indices, ptr noalias %out, i64 %count) {
entry:
  br label %items
items:
  %item = phi i64 [ 0, %entry ], [ %item.next, %next ]
  %l = getelementptr inbounds i32, ptr %lengths, i64 %item
  %length = load i32, ptr %l, align 4
  %r = getelementptr inbounds i32, ptr %indices, i64 %item
  %index = load i32, ptr %r, align 4
  %wide = sext i32 %index to i64
  %from = getelementptr inbounds float, ptr %in, i64 %wide
  br label %test0
test0:
  %end0 = icmp sle i32 %length, 0
  br i1 %end0, label %next, label %body0
body0:
  %p0.0 = getelementptr inbounds float, ptr %from, i64 1000
  %x0.0 = load float, ptr %p0.0, align 4
  %m0.0 = fmul float %x0.0, %x0.0
  %s0.0 = fadd float %m0.0, 0.0
  %p0.1 = getelementptr inbounds float, ptr %from, i64 2000
  %x0.1 = load float, ptr %p0.1, align 4
  %m0.1 = fmul float %x0.1, %x0.1
  %s0.1 = fadd float %m0.1, %s0.0
  %p0.2 = getelementptr inbounds float, ptr %from, i64 3000
  %x0.2 = load float, ptr %p0.2, align 4
  %m0.2 = fmul float %x0.2, %x0.2
  %s0.2 = fadd float %m0.2, %s0.1
  %p0.3 = getelementptr inbounds float, ptr %from, i64 4000
  %x0.3 = load float, ptr %p0.3, align 4
  %m0.3 = fmul float %x0.3, %x0.3
  %s0.3 = fadd float %m0.3, %s0.2
  br label %test1
test1:
  %end1 = icmp sle i32 %length, 1
  br i1 %end1, label %next, label %body1
body1:
  %p1.0 = getelementptr inbounds float, ptr %from, i64 5000
  %x1.0 = load float, ptr %p1.0, align 4
  %m1.0 = fmul float %x1.0, %x1.0
  %s1.0 = fadd float %m1.0, %s0.3
  %p1.1 = getelementptr inbounds float, ptr %from, i64 6000
  %x1.1 = load float, ptr %p1.1, align 4
  %m1.1 = fmul float %x1.1, %x1.1
  %s1.1 = fadd float %m1.1, %s1.0
  %p1.2 = getelementptr inbounds float, ptr %from, i64 7000
  %x1.2 = load float, ptr %p1.2, align 4
  %m1.2 = fmul float %x1.2, %x1.2
  %s1.2 = fadd float %m1.2, %s1.1
  %p1.3 = getelementptr inbounds float, ptr %from, i64 8000
  %x1.3 = load float, ptr %p1.3, align 4
  %m1.3 = fmul float %x1.3, %x1.3
  %s1.3 = fadd float %m1.3, %s1.2
  br label %test2
test2:
  %end2 = icmp sle i32 %length, 2
  br i1 %end2, label %next, label %body2
body2:
  %p2.0 = getelementptr inbounds float, ptr %from, i64 9000
  %x2.0 = load float, ptr %p2.0, align 4
  %m2.0 = fmul float %x2.0, %x2.0
  %s2.0 = fadd float %m2.0, %s1.3
  %p2.1 = getelementptr inbounds float, ptr %from, i64 10000
  %x2.1 = load float, ptr %p2.1, align 4
  %m2.1 = fmul float %x2.1, %x2.1
  %s2.1 = fadd float %m2.1, %s2.0
  %p2.2 = getelementptr inbounds float, ptr %from, i64 11000
  %x2.2 = load float, ptr %p2.2, align 4
  %m2.2 = fmul float %x2.2, %x2.2
  %s2.2 = fadd float %m2.2, %s2.1
  %p2.3 = getelementptr inbounds float, ptr %from, i64 12000
  %x2.3 = load float, ptr %p2.3, align 4
  %m2.3 = fmul float %x2.3, %x2.3
  %s2.3 = fadd float %m2.3, %s2.2
  br label %test3
test3:
  %end3 = icmp sle i32 %length, 3
  br i1 %end3, label %next, label %body3
body3:
  %p3.0 = getelementptr inbounds float, ptr %from, i64 13000
  %x3.0 = load float, ptr %p3.0, align 4
  %m3.0 = fmul float %x3.0, %x3.0
  %s3.0 = fadd float %m3.0, %s2.3
  %p3.1 = getelementptr inbounds float, ptr %from, i64 14000
  %x3.1 = load float, ptr %p3.1, align 4
  %m3.1 = fmul float %x3.1, %x3.1
  %s3.1 = fadd float %m3.1, %s3.0
  %p3.2 = getelementptr inbounds float, ptr %from, i64 15000
  %x3.2 = load float, ptr %p3.2, align 4
  %m3.2 = fmul float %x3.2, %x3.2
  %s3.2 = fadd float %m3.2, %s3.1
  %p3.3 = getelementptr inbounds float, ptr %from, i64 16000
  %x3.3 = load float, ptr %p3.3, align 4
  %m3.3 = fmul float %x3.3, %x3.3
  %s3.3 = fadd float %m3.3, %s3.2
  br label %test4
test4:
  %end4 = icmp sle i32 %length, 4
  br i1 %end4, label %next, label %body4
body4:
  %p4.0 = getelementptr inbounds float, ptr %from, i64 17000
  %x4.0 = load float, ptr %p4.0, align 4
  %m4.0 = fmul float %x4.0, %x4.0
  %s4.0 = fadd float %m4.0, %s3.3
  %p4.1 = getelementptr inbounds float, ptr %from, i64 18000
  %x4.1 = load float, ptr %p4.1, align 4
  %m4.1 = fmul float %x4.1, %x4.1
  %s4.1 = fadd float %m4.1, %s4.0
  %p4.2 = getelementptr inbounds float, ptr %from, i64 19000
  %x4.2 = load float, ptr %p4.2, align 4
  %m4.2 = fmul float %x4.2, %x4.2
  %s4.2 = fadd float %m4.2, %s4.1
  %p4.3 = getelementptr inbounds float, ptr %from, i64 20000
  %x4.3 = load float, ptr %p4.3, align 4
  %m4.3 = fmul float %x4.3, %x4.3
  %s4.3 = fadd float %m4.3, %s4.2
  br label %next
next:
  %sum = phi float [ 0.0, %test0 ], [ %s0.3, %test1 ], [ %s1.3, %test2 ], [ %s2.3, %test3 ],
         [ %s3.3, %test4 ], [ %s4.3, %body4 ]
  %q = getelementptr inbounds float, ptr %out, i64 %item
  store float %sum, ptr %q, align 4
  %item.next = add nuw nsw i64 %item, 1
  %more = icmp ult i64 %item.next, %count
  br i1 %more, label %items, label %done, !llvm.loop !0
done:
  ret void
}

!0 = distinct !{!0, !1}
!1 = !{!"quern.item-loop"}
