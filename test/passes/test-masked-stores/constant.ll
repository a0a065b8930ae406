; SPDX-License-Identifier: Apache-2.0
; SPDX-FileCopyrightText: The Quern authors
; Under a constant mask each run of active lanes is stored by itself.
; RUN: %quernc --passes=test-masked-stores %s | FileCheck %s

; CHECK-LABEL: @group(
; CHECK-NOT: masked.store
; CHECK: %[[FIRST:[0-9]+]] = extractelement <8 x float> %v, i64 0
; CHECK: store float %[[FIRST]], ptr %p, align 32, !noalias
; CHECK: %[[SECOND:[0-9]+]] = extractelement <8 x float> %v, i64 5
; CHECK: %[[AT:[0-9]+]] = getelementptr i8, ptr %p, i64 20
; CHECK: store float %[[SECOND]], ptr %[[AT]], align 4, !noalias
define void @group(<8 x float> %v, ptr %p) {
  call void @llvm.masked.store.v8f32.p0(<8 x float> %v, ptr align 32 %p,
      <8 x i1> <i1 true, i1 false, i1 false, i1 false, i1 false, i1 true, i1 false, i1 false>), !noalias !0
  ret void
}

; CHECK-LABEL: @runs(
; CHECK-NOT: masked.store
; CHECK: %[[TWO:[0-9]+]] = shufflevector <8 x i32> %v, <8 x i32> poison, <2 x i32> <i32 1, i32 2>
; CHECK: store <2 x i32> %[[TWO]], ptr %{{[0-9]+}}, align 4
; CHECK: store i32 %{{[0-9]+}}, ptr %{{[0-9]+}}, align 4
; CHECK: shufflevector <8 x i32> %v, <8 x i32> poison, <2 x i32> <i32 6, i32 7>
; CHECK: %[[LAST:[0-9]+]] = getelementptr i8, ptr %p, i64 24
; CHECK: store <2 x i32> %{{[0-9]+}}, ptr %[[LAST]], align 8
define void @runs(<8 x i32> %v, ptr %p) {
  call void @llvm.masked.store.v8i32.p0(<8 x i32> %v, ptr align 16 %p,
      <8 x i1> <i1 false, i1 true, i1 true, i1 true, i1 false, i1 false, i1 true, i1 true>)
  ret void
}

!0 = !{!1}
!1 = distinct !{!1, !2}
!2 = distinct !{!2}
