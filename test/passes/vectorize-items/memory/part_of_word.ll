; SPDX-License-Identifier: Apache-2.0
; SPDX-FileCopyrightText: The Quern authors
; The first byte of an aligned word is loaded with it; of a word that is not aligned each byte is loaded.
; RUN: env QUERN_CPU=znver3 %quernc --passes="vectorize-items<width=8>" %s | FileCheck %s

; CHECK-LABEL: @aligned(
; CHECK: load <32 x i8>, ptr %{{.*}}, align 4
; CHECK: trunc <8 x i32> %{{.*}} to <8 x i8>
; CHECK: ret void
define void @aligned(ptr noalias %in, ptr noalias %out, i64 %count) {
entry:
  br label %items
items:
  %item = phi i64 [ 0, %entry ], [ %item.next, %items ]
  %p = getelementptr inbounds i32, ptr %in, i64 %item
  %b = load i8, ptr %p, align 4
  %x = zext i8 %b to i32
  %q = getelementptr inbounds i32, ptr %out, i64 %item
  store i32 %x, ptr %q
  %item.next = add nuw nsw i64 %item, 1
  %more = icmp ult i64 %item.next, %count
  br i1 %more, label %items, label %done, !llvm.loop !0
done:
  ret void
}

; CHECK-LABEL: @unaligned(
; CHECK-NOT: load <32 x i8>
; CHECK: ret void
define void @unaligned(ptr noalias %in, ptr noalias %out, i64 %count) {
entry:
  br label %items
items:
  %item = phi i64 [ 0, %entry ], [ %item.next, %items ]
  %p = getelementptr inbounds i32, ptr %in, i64 %item
  %b = load i8, ptr %p, align 1
  %x = zext i8 %b to i32
  %q = getelementptr inbounds i32, ptr %out, i64 %item
  store i32 %x, ptr %q
  %item.next = add nuw nsw i64 %item, 1
  %more = icmp ult i64 %item.next, %count
  br i1 %more, label %items, label %done, !llvm.loop !0
done:
  ret void
}

!0 = distinct !{!0, !1}
!1 = !{!"quern.item-loop"}
