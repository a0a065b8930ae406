; SPDX-License-Identifier: Apache-2.0
; SPDX-FileCopyrightText: The Quern authors
; Three of four elements are one masked load, with all lanes active and in the remainder; without masks there is no
; group.
; RUN: %quernc --passes="vectorize-items<width=8>" %s | FileCheck %s
; RUN: env QUERN_CPU=nehalem %quernc --passes="vectorize-items<width=4>" %s | FileCheck %s --check-prefix=UNMASKED

; CHECK-LABEL: @gaps(
; CHECK-COUNT-2: call <32 x i32> @llvm.masked.load.v32i32
; CHECK-NOT: call <32 x i32> @llvm.masked.load.v32i32
; CHECK: ret void
; UNMASKED-LABEL: @gaps(
; UNMASKED-NOT: load <16 x i32>
; UNMASKED: ret void
define void @gaps(ptr noalias %in, ptr noalias %out, i64 %count) {
entry:
  br label %items
items:
  %item = phi i64 [ 0, %entry ], [ %item.next, %items ]
  %four = shl nuw nsw i64 %item, 2
  %r.p = getelementptr inbounds i32, ptr %in, i64 %four
  %g.p = getelementptr inbounds i8, ptr %r.p, i64 4
  %b.p = getelementptr inbounds i8, ptr %r.p, i64 8
  %r = load i32, ptr %r.p
  %g = load i32, ptr %g.p
  %b = load i32, ptr %b.p
  %rg = add i32 %r, %g
  %rgb = add i32 %rg, %b
  %q = getelementptr inbounds i32, ptr %out, i64 %item
  store i32 %rgb, ptr %q
  %item.next = add nuw nsw i64 %item, 1
  %more = icmp ult i64 %item.next, %count
  br i1 %more, label %items, label %done, !llvm.loop !0
done:
  ret void
}

!0 = distinct !{!0, !1}
!1 = !{!"quern.item-loop"}
