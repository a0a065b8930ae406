; SPDX-License-Identifier: Apache-2.0
; SPDX-FileCopyrightText: The Quern authors
; The vector and the scalar variant round an inverse root alike: it may not be approximated any more. With a flag more,
; or of a float, there is no choice between them at run time.
; RUN: %quernc --passes=vectorize-items %s | FileCheck %s

; CHECK-LABEL: @undecided(
; CHECK: call double @llvm.sqrt.f64
; CHECK: fdiv double
; CHECK: ret void
define void @undecided(ptr %table, ptr %out, i64 %count) {
entry:
  br label %items
items:
  %item = phi i64 [ 0, %entry ], [ %item.next, %items ]
  %p = getelementptr inbounds i32, ptr %table, i64 %item
  %r = cmpxchg ptr %p, i32 0, i32 1 monotonic monotonic
  %q = getelementptr inbounds double, ptr %out, i64 %item
  %x = load double, ptr %q
  %root = call arcp double @llvm.sqrt.f64(double %x)
  %y = fdiv arcp double 1.0, %root
  store double %y, ptr %q
  %item.next = add nuw nsw i64 %item, 1
  %more = icmp ult i64 %item.next, %count
  br i1 %more, label %items, label %done, !llvm.loop !0
done:
  ret void
}

; CHECK-LABEL: @decided(
; CHECK-NOT: "quern-undecided"
; CHECK: fdiv arcp contract
define void @decided(ptr %table, ptr %out, i64 %count) {
entry:
  br label %items
items:
  %item = phi i64 [ 0, %entry ], [ %item.next, %items ]
  %p = getelementptr inbounds i32, ptr %table, i64 %item
  %r = cmpxchg ptr %p, i32 0, i32 1 monotonic monotonic
  %q = getelementptr inbounds double, ptr %out, i64 %item
  %x = load double, ptr %q
  %root = call arcp double @llvm.sqrt.f64(double %x)
  %y = fdiv arcp contract double 1.0, %root
  store double %y, ptr %q
  %item.next = add nuw nsw i64 %item, 1
  %more = icmp ult i64 %item.next, %count
  br i1 %more, label %items, label %done, !llvm.loop !0
done:
  ret void
}

!0 = distinct !{!0, !1}
!1 = !{!"quern.item-loop"}
