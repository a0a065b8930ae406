; SPDX-License-Identifier: Apache-2.0
; SPDX-FileCopyrightText: The Quern authors
; The only loop is masked: its last vector has as many active lanes as work-items are left.
; RUN: %quernc --passes="vectorize-items<width=8>" %s | FileCheck %s

; CHECK-LABEL: @masked(
; CHECK: %[[LEFT:.*]] = sub i64 %count, %first
; CHECK: trunc i64 %[[LEFT]] to i32
; CHECK: %[[ON:.*]] = icmp ult <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7>, %
; CHECK: call void @llvm.masked.store.v8i32.p0({{.*}}, <8 x i1> %[[ON]])
define void @masked(ptr noalias %out, i64 %count) {
entry:
  br label %items
items:
  %item = phi i64 [ 0, %entry ], [ %item.next, %items ]
  %q = getelementptr inbounds i32, ptr %out, i64 %item
  store i32 7, ptr %q
  %item.next = add nuw nsw i64 %item, 1
  %more = icmp ult i64 %item.next, %count
  br i1 %more, label %items, label %done, !llvm.loop !0
done:
  ret void
}

!0 = distinct !{!0, !1}
!1 = !{!"quern.item-loop"}
