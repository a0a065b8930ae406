; SPDX-License-Identifier: Apache-2.0
; SPDX-FileCopyrightText: The Quern authors
; Three elements, of which two are a vector, are one load and one store, and what is added to all is added in the order
; of memory.
; RUN: %quernc --passes="vectorize-items<width=8>,instcombine" %s | FileCheck %s

; CHECK-LABEL: @vectors(
; CHECK-COUNT-3: call <8 x float> @llvm.masked.load.v8f32
; CHECK-NOT: shufflevector <8 x float> {{.*}} <8 x i32> <i32 0, i32 3
; CHECK: fadd <24 x float>
; CHECK-COUNT-3: call void @llvm.masked.store.v8f32
define void @vectors(ptr noalias %in, ptr noalias %out, i64 %count) {
entry:
  br label %items
items:
  %item = phi i64 [ 0, %entry ], [ %item.next, %items ]
  %offset = mul nuw nsw i64 %item, 12
  %p = getelementptr inbounds i8, ptr %in, i64 %offset
  %pair = load <2 x float>, ptr %p, align 4
  %p.z = getelementptr inbounds i8, ptr %p, i64 8
  %z = load float, ptr %p.z, align 4
  %wide = shufflevector <2 x float> %pair, <2 x float> poison, <3 x i32> <i32 0, i32 1, i32 poison>
  %three = insertelement <3 x float> %wide, float %z, i64 2
  %sum = fadd <3 x float> %three, splat (float 3.0)
  %q = getelementptr inbounds i8, ptr %out, i64 %offset
  %low = shufflevector <3 x float> %sum, <3 x float> poison, <2 x i32> <i32 0, i32 1>
  store <2 x float> %low, ptr %q, align 4
  %q.z = getelementptr inbounds i8, ptr %q, i64 8
  %high = extractelement <3 x float> %sum, i64 2
  store float %high, ptr %q.z, align 4
  %item.next = add nuw nsw i64 %item, 1
  %more = icmp ult i64 %item.next, %count
  br i1 %more, label %items, label %done, !llvm.loop !0
done:
  ret void
}

!0 = distinct !{!0, !1}
!1 = !{!"quern.item-loop"}
