; SPDX-License-Identifier: Apache-2.0
; SPDX-FileCopyrightText: The Quern authors
; Where all lanes are in one aligned block, their quotient is one number, and what lies there is loaded once. A signed
; quotient rounds towards zero: no lane may be negative.
; RUN: %quernc --passes="vectorize-items<width=16>" %s | FileCheck %s

; CHECK-LABEL: @quotient(
; CHECK: %[[POSITION:.*]] = and i32 %[[INDEX:.*]], 63
; CHECK: %[[ROOM:.*]] = sub i32 63, %[[POSITION]]
; CHECK: %[[FITS:.*]] = icmp uge i32 %[[ROOM]], 15
; CHECK: %[[POSITIVE:.*]] = icmp sgt i32 %[[INDEX]], -1
; CHECK: %[[UNIFORM:.*]] = and i1 %[[FITS]], %[[POSITIVE]]
; CHECK: br i1 %[[UNIFORM]], label %contiguous, label %gather
; CHECK: contiguous:
; CHECK: load float, ptr
; CHECK: shufflevector {{.*}} zeroinitializer
; CHECK: gather:
; CHECK: call <16 x float> @llvm.masked.gather
define void @quotient(ptr noalias %in, ptr noalias %out, i64 %first, i64 %count) {
entry:
  br label %items
items:
  %item = phi i64 [ 0, %entry ], [ %item.next, %items ]
  %id = add i64 %first, %item
  %narrow = trunc i64 %id to i32
  %quotient = sdiv i32 %narrow, 64
  %index = sext i32 %quotient to i64
  %p = getelementptr inbounds float, ptr %in, i64 %index
  %x = load float, ptr %p
  %q = getelementptr inbounds float, ptr %out, i64 %item
  store float %x, ptr %q
  %item.next = add nuw nsw i64 %item, 1
  %more = icmp ult i64 %item.next, %count
  br i1 %more, label %items, label %done, !llvm.loop !0
done:
  ret void
}

!0 = distinct !{!0, !1}
!1 = !{!"quern.item-loop"}
