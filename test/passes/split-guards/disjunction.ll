; SPDX-License-Identifier: Apache-2.0
; SPDX-FileCopyrightText: The Quern authors
; Of nested branches that skip the body SimplifyCFG makes a disjunction, of negated conditions or of inverse ones. It
; becomes the conjunction that ItemBound takes.
; RUN: %quernc --passes=split-guards %s | FileCheck %s
; RUN: %quernc --passes='split-guards,print<item-bound>' %s 2>&1 >/dev/null | FileCheck %s --check-prefix=BOUND

; CHECK-LABEL: @negated(
; CHECK: %[[INSIDE:.*]] = freeze i1 %uniform
; CHECK: %[[BOTH:.*]] = select i1 %[[INSIDE]], i1 %left, i1 false
; CHECK-NEXT: br i1 %[[BOTH]], label %body, label %next
; BOUND-LABEL: Item bound of 'negated':
; BOUND-NEXT: bound (signed) i32 %end, stride 1, body on true
define void @negated(ptr noalias %out, i64 %count, i32 %end, i1 %uniform) {
entry:
  br label %items
items:
  %item = phi i64 [ 0, %entry ], [ %item.next, %next ]
  %x = trunc i64 %item to i32
  %left = icmp slt i32 %x, %end
  %not.left = xor i1 %left, true
  %not.uniform = xor i1 %uniform, true
  %skips = select i1 %not.left, i1 true, i1 %not.uniform
  br i1 %skips, label %next, label %body
body:
  %q = getelementptr inbounds i32, ptr %out, i64 %item
  store i32 7, ptr %q
  br label %next
next:
  %item.next = add nuw nsw i64 %item, 1
  %more = icmp ult i64 %item.next, %count
  br i1 %more, label %items, label %done, !llvm.loop !0
done:
  ret void
}

; CHECK-LABEL: @inverse(
; CHECK: %[[LEFT:.*]] = icmp slt i32 %x, %end
; CHECK: %[[BOTH:.*]] = select i1 %{{.*}}, i1 %[[LEFT]], i1 false
; CHECK-NEXT: br i1 %[[BOTH]], label %body, label %next
; BOUND-LABEL: Item bound of 'inverse':
; BOUND-NEXT: bound (signed) i32 %end, stride 1, body on true
define void @inverse(ptr noalias %out, i64 %count, i32 %end, i1 %outside) {
entry:
  br label %items
items:
  %item = phi i64 [ 0, %entry ], [ %item.next, %next ]
  %x = trunc i64 %item to i32
  %right = icmp sge i32 %x, %end
  %skips = select i1 %right, i1 true, i1 %outside
  br i1 %skips, label %next, label %body
body:
  %q = getelementptr inbounds i32, ptr %out, i64 %item
  store i32 7, ptr %q
  br label %next
next:
  %item.next = add nuw nsw i64 %item, 1
  %more = icmp ult i64 %item.next, %count
  br i1 %more, label %items, label %done, !llvm.loop !1
done:
  ret void
}

!0 = distinct !{!0, !2}
!1 = distinct !{!1, !2}
!2 = !{!"quern.item-loop"}
