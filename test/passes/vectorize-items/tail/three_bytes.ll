; SPDX-License-Identifier: Apache-2.0
; SPDX-FileCopyrightText: The Quern authors
; Pixels of three bytes: a mask of their lanes is shuffled to one of their bytes, so that full vectors have a loop
; without masks. Pixels of four bytes are words, each under one bit of the mask: the masked loop does everything.
; RUN: %quernc --passes="vectorize-items<width=16>" %s | FileCheck %s

; CHECK-LABEL: @three(
; CHECK: load <48 x i8>, ptr
; CHECK: masked.header:
; CHECK: @llvm.masked.load.v{{[0-9]+}}i8
define void @three(ptr noalias %in, ptr noalias %out, i64 %count) {
entry:
  br label %items
items:
  %item = phi i64 [ 0, %entry ], [ %item.next, %items ]
  %index = mul nuw nsw i64 %item, 3
  %r.p = getelementptr inbounds i8, ptr %in, i64 %index
  %g.p = getelementptr inbounds i8, ptr %r.p, i64 1
  %b.p = getelementptr inbounds i8, ptr %r.p, i64 2
  %r = load i8, ptr %r.p
  %g = load i8, ptr %g.p
  %b = load i8, ptr %b.p
  %rg = add i8 %r, %g
  %rgb = add i8 %rg, %b
  %q = getelementptr inbounds i8, ptr %out, i64 %item
  store i8 %rgb, ptr %q
  %item.next = add nuw nsw i64 %item, 1
  %more = icmp ult i64 %item.next, %count
  br i1 %more, label %items, label %done, !llvm.loop !0
done:
  ret void
}

; CHECK-LABEL: @four(
; CHECK-NOT: load <{{64|16}} x i, ptr
; CHECK: masked.header:
define void @four(ptr noalias %in, ptr noalias %out, i64 %count) {
entry:
  br label %items
items:
  %item = phi i64 [ 0, %entry ], [ %item.next, %items ]
  %index = shl nuw nsw i64 %item, 2
  %r.p = getelementptr inbounds i8, ptr %in, i64 %index
  %g.p = getelementptr inbounds i8, ptr %r.p, i64 1
  %b.p = getelementptr inbounds i8, ptr %r.p, i64 2
  %a.p = getelementptr inbounds i8, ptr %r.p, i64 3
  %r = load i8, ptr %r.p
  %g = load i8, ptr %g.p
  %b = load i8, ptr %b.p
  %a = load i8, ptr %a.p
  %rg = add i8 %r, %g
  %ba = add i8 %b, %a
  %rgba = add i8 %rg, %ba
  %q = getelementptr inbounds i8, ptr %out, i64 %item
  store i8 %rgba, ptr %q
  %item.next = add nuw nsw i64 %item, 1
  %more = icmp ult i64 %item.next, %count
  br i1 %more, label %items, label %done, !llvm.loop !2
done:
  ret void
}

!0 = distinct !{!0, !1}
!1 = !{!"quern.item-loop"}
!2 = distinct !{!2, !1}
