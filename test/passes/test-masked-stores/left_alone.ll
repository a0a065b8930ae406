; SPDX-License-Identifier: Apache-2.0
; SPDX-FileCopyrightText: The Quern authors
; Of a tail some lanes are active and some are not; bytes have no masked stores; a constant with an undefined
; lane is LLVM's to fold.
; RUN: %quernc --passes=test-masked-stores %s | FileCheck %s

; CHECK-NOT: br
; CHECK-NOT: {{^}} store
define void @tail(<4 x i32> %v, ptr %p, i32 %left) {
  %one = insertelement <4 x i32> poison, i32 %left, i64 0
  %all = shufflevector <4 x i32> %one, <4 x i32> poison, <4 x i32> zeroinitializer
  %on = icmp ugt <4 x i32> %all, <i32 0, i32 1, i32 2, i32 3>
  call void @llvm.masked.store.v4i32.p0(<4 x i32> %v, ptr align 4 %p, <4 x i1> %on)
  ret void
}

define void @bytes(<16 x i8> %v, ptr %p, <16 x i1> %on) {
  call void @llvm.masked.store.v16i8.p0(<16 x i8> %v, ptr align 1 %p, <16 x i1> %on)
  ret void
}

define void @undefined(<4 x i64> %v, ptr %p) {
  call void @llvm.masked.store.v4i64.p0(<4 x i64> %v, ptr align 8 %p, <4 x i1> <i1 true, i1 undef, i1 true, i1 true>)
  ; CHECK: call void @llvm.masked.store.v4i64.p0(<4 x i64> %v
  ret void
}
; CHECK-LABEL: declare
