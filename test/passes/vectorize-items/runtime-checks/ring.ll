; SPDX-License-Identifier: Apache-2.0
; SPDX-FileCopyrightText: The Quern authors
; An index masked with a power of two less one is contiguous for the vectors that lie in one block.
; RUN: %quernc --passes="vectorize-items<width=8>" %s | FileCheck %s

; CHECK-LABEL: @ring(
; CHECK: masked:
; CHECK: br i1 %{{.*}}, label %contiguous, label %gather
; CHECK: contiguous:
; CHECK: @llvm.masked.load.v8f32
; CHECK: gather:
; CHECK: @llvm.masked.gather.v8f32
define void @ring(ptr noalias %in, ptr noalias %out, i64 %offset, i64 %count) {
entry:
  br label %items
items:
  %item = phi i64 [ 0, %entry ], [ %item.next, %items ]
  %from = add i64 %item, %offset
  %at = and i64 %from, 1023
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
