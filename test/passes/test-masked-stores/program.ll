; SPDX-License-Identifier: Apache-2.0
; SPDX-FileCopyrightText: The Quern authors
; Where all lanes are active the store needs no mask, and where none is, there is none.
; RUN: %quernc --passes=test-masked-stores %s | FileCheck %s

; CHECK-LABEL: @words(
; CHECK: %[[LANES:[0-9]+]] = bitcast <8 x i1> %on to i8
; CHECK: %[[ALL:[0-9]+]] = icmp eq i8 %[[LANES]], -1
; CHECK: br i1 %[[ALL]], label %[[PLAIN:[0-9]+]], label %[[ELSE:[0-9]+]], !prof
; CHECK: [[PLAIN]]:
; CHECK: store <8 x i32> %v, ptr %p, align 4
; CHECK: [[ELSE]]:
; CHECK: %[[ANY:[0-9]+]] = icmp ne i8 %[[LANES]], 0
; CHECK: br i1 %[[ANY]], label %[[SOME:[0-9]+]], label
; CHECK: [[SOME]]:
; CHECK: call void @llvm.masked.store.v8i32.p0(<8 x i32> %v, ptr align 4 %p, <8 x i1> %on)
define void @words(<8 x i32> %v, ptr %p, <8 x i1> %on) {
  call void @llvm.masked.store.v8i32.p0(<8 x i32> %v, ptr align 4 %p, <8 x i1> %on)
  ret void
}

; CHECK-LABEL: @doubles(
; CHECK: store <4 x double> %v, ptr %p, align 8, !tbaa
define void @doubles(<4 x double> %v, ptr %p, <4 x i1> %on) {
  call void @llvm.masked.store.v4f64.p0(<4 x double> %v, ptr align 8 %p, <4 x i1> %on), !tbaa !0
  ret void
}

!0 = !{!1, !1, i64 0}
!1 = !{!"double", !2}
!2 = !{!"C"}
