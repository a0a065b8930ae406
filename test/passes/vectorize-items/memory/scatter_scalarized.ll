; SPDX-License-Identifier: Apache-2.0
; SPDX-FileCopyrightText: The Quern authors
; AVX2 has no scatter: all lanes store one by one, inactive ones to a slot of the stack, without branches.
; RUN: env QUERN_CPU=haswell %quernc --passes="vectorize-items<width=8>" %s | FileCheck %s

; CHECK-LABEL: @scatter_scalarized(
; CHECK: %[[SLOT:.*]] = alloca [16 x i8]
; CHECK: insertelement <8 x ptr> poison, ptr %[[SLOT]], i64 0
; CHECK: %[[WHERE:.*]] = select <8 x i1> %{{.*}}, <8 x ptr> %{{.*}}, <8 x ptr> %
; CHECK: scatter.v8i32.v8p0(<8 x i32> splat (i32 7), <8 x ptr> align 4 %[[WHERE]], <8 x i1> splat (i1 true))
define void @scatter_scalarized(ptr noalias %indices, ptr noalias %out, i64 %count) {
entry:
  br label %items
items:
  %item = phi i64 [ 0, %entry ], [ %item.next, %items ]
  %p = getelementptr inbounds i64, ptr %indices, i64 %item
  %at = load i64, ptr %p
  %q = getelementptr inbounds i32, ptr %out, i64 %at
  store i32 7, ptr %q
  %item.next = add nuw nsw i64 %item, 1
  %more = icmp ult i64 %item.next, %count
  br i1 %more, label %items, label %done, !llvm.loop !0
done:
  ret void
}

!0 = distinct !{!0, !1}
!1 = !{!"quern.item-loop"}
