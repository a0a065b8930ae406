; SPDX-License-Identifier: Apache-2.0
; SPDX-FileCopyrightText: The Quern authors
; The same for indices that are extended with zeros. The scalar loop runs where the check fails.
; RUN: %quernc --passes="vectorize-items<width=8>" %s | FileCheck %s

; CHECK-LABEL: @unsigned_index(
; CHECK: zext i32 %{{.*}} to i64
; CHECK: %[[HOLDS:.*]] = icmp eq i64
; CHECK: br i1 %[[HOLDS]], label %passed, label %items
; CHECK: add nuw nsw i64 %first, 8
; CHECK: @llvm.masked.load.v8f32
define void @unsigned_index(ptr noalias %in, ptr noalias %out, i32 %offset, i64 %count) {
entry:
  br label %items
items:
  %item = phi i64 [ 0, %entry ], [ %item.next, %items ]
  %id = trunc i64 %item to i32
  %at32 = add i32 %id, %offset
  %at = zext i32 %at32 to i64
  %p = getelementptr inbounds float, ptr %in, i64 %at
  %x = load float, ptr %p
  %q = getelementptr inbounds float, ptr %out, i64 %item
  store float %x, ptr %q
  %item.next = add nuw nsw i64 %item, 1
  %more = icmp ult i64 %item.next, %count
  br i1 %more, label %items, label %done, !llvm.loop !0
done:
  ret void
}

!0 = distinct !{!0, !1}
!1 = !{!"quern.item-loop"}
