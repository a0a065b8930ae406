; SPDX-License-Identifier: Apache-2.0
; SPDX-FileCopyrightText: The Quern authors
; Where gathers are slow, and where there are no scatters, strided elements are loaded and stored at addresses that
; scalar additions give, not extracted from a vector.
; RUN: env QUERN_CPU=znver3 %quernc --passes="vectorize-items<width=8>" %s | FileCheck %s
; RUN: env QUERN_CPU=sapphirerapids %quernc --passes="vectorize-items<width=8>" %s | FileCheck %s --check-prefix=FAST

; CHECK-LABEL: @affine(
; CHECK: vector:
; CHECK-NOT: masked.gather
; CHECK: %[[FIRST:.*]] = load float, ptr
; CHECK: insertelement <8 x float> poison, float %[[FIRST]], i64 0
; CHECK: load float, ptr
; CHECK: insertelement <8 x float> {{.*}}, i64 7
; CHECK: extractelement <8 x float> {{.*}}, i64 7
; CHECK-NEXT: store float
; CHECK-NOT: masked.scatter
; CHECK: remainder:
; FAST-LABEL: @affine(
; FAST: call <8 x float> @llvm.masked.gather.v8f32
; FAST: call void @llvm.masked.scatter.v8f32
define void @affine(ptr noalias %in, ptr noalias %out, i64 %count) {
entry:
  br label %items
items:
  %item = phi i64 [ 0, %entry ], [ %item.next, %items ]
  %in.at = mul nuw nsw i64 %item, 10
  %p = getelementptr inbounds float, ptr %in, i64 %in.at
  %v = load float, ptr %p, align 4
  %x = fmul float %v, %v
  %out.at = mul nuw nsw i64 %item, 12
  %q = getelementptr inbounds float, ptr %out, i64 %out.at
  store float %x, ptr %q, align 4
  %item.next = add nuw nsw i64 %item, 1
  %more = icmp ult i64 %item.next, %count
  br i1 %more, label %items, label %done, !llvm.loop !0
done:
  ret void
}

!0 = distinct !{!0, !1}
!1 = !{!"quern.item-loop"}
