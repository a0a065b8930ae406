; SPDX-License-Identifier: Apache-2.0
; SPDX-FileCopyrightText: The Quern authors
; Of stores to one address the last active lane's counts.
; RUN: %quernc --passes="vectorize-items<width=8>" %s | FileCheck %s

; CHECK-LABEL: @uniform_store(
; CHECK: %[[X:.*]] = call <8 x i32> @llvm.masked.load.v8i32
; CHECK: call i{{.*}} @llvm.ctlz
; CHECK: %[[LAST:.*]] = extractelement <8 x i32> %[[X]],
; CHECK: store i32 %[[LAST]], ptr %out
define void @uniform_store(ptr noalias %in, ptr noalias %out, i64 %count) {
entry:
  br label %items
items:
  %item = phi i64 [ 0, %entry ], [ %item.next, %items ]
  %p = getelementptr inbounds i32, ptr %in, i64 %item
  %x = load i32, ptr %p
  store i32 %x, ptr %out
  %item.next = add nuw nsw i64 %item, 1
  %more = icmp ult i64 %item.next, %count
  br i1 %more, label %items, label %done, !llvm.loop !0
done:
  ret void
}

!0 = distinct !{!0, !1}
!1 = !{!"quern.item-loop"}
