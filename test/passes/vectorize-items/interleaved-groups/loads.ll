; SPDX-License-Identifier: Apache-2.0
; SPDX-FileCopyrightText: The Quern authors
; Even and odd elements are one load and two shuffles. Under a mask, the two of a lane are loaded as one word.
; RUN: %quernc --passes="vectorize-items<width=8>" %s | FileCheck %s

; CHECK-LABEL: @loads(
; CHECK: %[[WORDS:.*]] = call <8 x i64> @llvm.masked.load.v8i64
; CHECK: %[[ALL:.*]] = bitcast <8 x i64> %[[WORDS]] to <16 x i32>
; CHECK: shufflevector <16 x i32> %[[ALL]], <16 x i32> poison, <8 x i32> <i32 0, i32 2, i32 4, {{.*}}, i32 14>
; CHECK: shufflevector <16 x i32> %[[ALL]], <16 x i32> poison, <8 x i32> <i32 1, i32 3, i32 5, {{.*}}, i32 15>
define void @loads(ptr noalias %in, ptr noalias %out, i64 %count) {
entry:
  br label %items
items:
  %item = phi i64 [ 0, %entry ], [ %item.next, %items ]
  %two = shl nuw nsw i64 %item, 1
  %even = getelementptr inbounds i32, ptr %in, i64 %two
  %odd = getelementptr inbounds i8, ptr %even, i64 4
  %a = load i32, ptr %even
  %b = load i32, ptr %odd
  %ab = sub i32 %a, %b
  %q = getelementptr inbounds i32, ptr %out, i64 %item
  store i32 %ab, ptr %q
  %item.next = add nuw nsw i64 %item, 1
  %more = icmp ult i64 %item.next, %count
  br i1 %more, label %items, label %done, !llvm.loop !0
done:
  ret void
}

!0 = distinct !{!0, !1}
!1 = !{!"quern.item-loop"}
