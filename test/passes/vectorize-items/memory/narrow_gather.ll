; SPDX-License-Identifier: Apache-2.0
; SPDX-FileCopyrightText: The Quern authors
; Bytes are gathered as the aligned words around them.
; RUN: %quernc --passes="vectorize-items<width=8>" %s | FileCheck %s

; CHECK-LABEL: @narrow_gather(
; CHECK: %[[WORDS:.*]] = call <8 x i32> @llvm.masked.gather.v8i32
; CHECK: lshr <8 x i32> %[[WORDS]],
; CHECK: trunc <8 x i32> %{{.*}} to <8 x i8>
define void @narrow_gather(ptr noalias %indices, ptr noalias %in, ptr noalias %out, i64 %count) {
entry:
  br label %items
items:
  %item = phi i64 [ 0, %entry ], [ %item.next, %items ]
  %p = getelementptr inbounds i64, ptr %indices, i64 %item
  %at = load i64, ptr %p
  %b = getelementptr inbounds i8, ptr %in, i64 %at
  %x = load i8, ptr %b
  %q = getelementptr inbounds i8, ptr %out, i64 %item
  store i8 %x, ptr %q
  %item.next = add nuw nsw i64 %item, 1
  %more = icmp ult i64 %item.next, %count
  br i1 %more, label %items, label %done, !llvm.loop !0
done:
  ret void
}

!0 = distinct !{!0, !1}
!1 = !{!"quern.item-loop"}
