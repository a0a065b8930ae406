; SPDX-License-Identifier: Apache-2.0
; SPDX-FileCopyrightText: The Quern authors
; Two vectors at once run without masks, and what is left in single masked ones.
; RUN: %quernc --passes="vectorize-items<width=8;interleave=2>" %s | FileCheck %s

; CHECK-LABEL: @interleaved(
; CHECK: and i64 %{{.*}}, -16
; CHECK: store <16 x i32> splat (i32 7)
; CHECK: masked:
; CHECK: call void @llvm.masked.store.v8i32
define void @interleaved(ptr noalias %out, i64 %count) {
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
