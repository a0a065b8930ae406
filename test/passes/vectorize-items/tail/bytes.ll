; SPDX-License-Identifier: Apache-2.0
; SPDX-FileCopyrightText: The Quern authors
; Bytes are masked, too, also on a machine that has masks for words alone.
; RUN: %quernc --passes="vectorize-items<width=32>" %s | FileCheck %s
; RUN: env QUERN_CPU=haswell %quernc --passes="vectorize-items<width=32>" %s | FileCheck %s

; CHECK-LABEL: @bytes(
; CHECK: %[[ON:.*]] = icmp ult <32 x i32> <i32 0, i32 1,
; CHECK: call void @llvm.masked.store.v32i8.p0(<32 x i8> splat (i8 7), {{.*}}, <32 x i1> %[[ON]])
define void @bytes(ptr noalias %out, i64 %count) {
entry:
  br label %items
items:
  %item = phi i64 [ 0, %entry ], [ %item.next, %items ]
  %q = getelementptr inbounds i8, ptr %out, i64 %item
  store i8 7, ptr %q
  %item.next = add nuw nsw i64 %item, 1
  %more = icmp ult i64 %item.next, %count
  br i1 %more, label %items, label %done, !llvm.loop !0
done:
  ret void
}

!0 = distinct !{!0, !1}
!1 = !{!"quern.item-loop"}
