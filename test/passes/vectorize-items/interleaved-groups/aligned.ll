; SPDX-License-Identifier: Apache-2.0
; SPDX-FileCopyrightText: The Quern authors
; Three of four bytes that are aligned as one word: the fourth may be loaded, too, and no mask is needed. Of words that
; are not aligned the last one's fourth byte may be in another page. AVX2 has no masks for bytes, so that each that is
; loaded takes time.
; RUN: env QUERN_CPU=znver3 %quernc --passes="vectorize-items<width=8>" %s | FileCheck %s

; CHECK-LABEL: @aligned(
; CHECK: load <32 x i8>, ptr %{{.*}}, align 4
; CHECK-NOT: call <32 x i8> @llvm.masked.load.v32i8
; CHECK: ret void
define void @aligned(ptr noalias %in, ptr noalias %out, i64 %count) {
entry:
  br label %items
items:
  %item = phi i64 [ 0, %entry ], [ %item.next, %items ]
  %p.0 = getelementptr inbounds i32, ptr %in, i64 %item
  %p.1 = getelementptr inbounds i8, ptr %p.0, i64 1
  %p.2 = getelementptr inbounds i8, ptr %p.0, i64 2
  %b.0 = load i8, ptr %p.0, align 4
  %b.1 = load i8, ptr %p.1, align 1
  %b.2 = load i8, ptr %p.2, align 2
  %x = add i8 %b.0, %b.1
  %y = add i8 %x, %b.2
  %q = getelementptr inbounds i8, ptr %out, i64 %item
  store i8 %y, ptr %q
  %item.next = add nuw nsw i64 %item, 1
  %more = icmp ult i64 %item.next, %count
  br i1 %more, label %items, label %done, !llvm.loop !0
done:
  ret void
}

; CHECK-LABEL: @unaligned(
; CHECK-NOT: load <32 x i8>
; CHECK: call <32 x i8> @llvm.masked.load.v32i8.p0(
; CHECK-SAME: <32 x i1> <i1 true, i1 true, i1 true, i1 false, i1 true,
; CHECK: ret void
define void @unaligned(ptr noalias %in, ptr noalias %out, i64 %count) {
entry:
  br label %items
items:
  %item = phi i64 [ 0, %entry ], [ %item.next, %items ]
  %p.0 = getelementptr inbounds i32, ptr %in, i64 %item
  %p.1 = getelementptr inbounds i8, ptr %p.0, i64 1
  %p.2 = getelementptr inbounds i8, ptr %p.0, i64 2
  %b.0 = load i8, ptr %p.0, align 1
  %b.1 = load i8, ptr %p.1, align 1
  %b.2 = load i8, ptr %p.2, align 1
  %x = add i8 %b.0, %b.1
  %y = add i8 %x, %b.2
  %q = getelementptr inbounds i8, ptr %out, i64 %item
  store i8 %y, ptr %q
  %item.next = add nuw nsw i64 %item, 1
  %more = icmp ult i64 %item.next, %count
  br i1 %more, label %items, label %done, !llvm.loop !0
done:
  ret void
}

!0 = distinct !{!0, !1}
!1 = !{!"quern.item-loop"}
