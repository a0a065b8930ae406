; SPDX-License-Identifier: Apache-2.0
; SPDX-FileCopyrightText: The Quern authors
; Without gathers, the components of a lane are loaded from one address that is extracted once.
; RUN: env QUERN_CPU=znver3 %quernc --passes="vectorize-items<width=4>" %s | FileCheck %s
; RUN: env QUERN_CPU=znver4 %quernc --passes="vectorize-items<width=4>" %s | FileCheck %s --check-prefix=GATHERS

; CHECK-LABEL: @lane_components(
; CHECK: %[[ADDRESS:.*]] = load volatile ptr, ptr %{{.*}}
; CHECK: %[[X:.*]] = load i8, ptr %[[ADDRESS]]
; CHECK: insertelement <4 x i8> poison, i8 %[[X]], i64 0
; CHECK: %[[SECOND:.*]] = getelementptr i8, ptr %[[ADDRESS]], i64 1
; CHECK: load i8, ptr %[[SECOND]]
; CHECK: %[[THIRD:.*]] = getelementptr i8, ptr %[[ADDRESS]], i64 2
; CHECK: load i8, ptr %[[THIRD]]
; CHECK-NOT: masked.gather
; GATHERS-LABEL: @lane_components(
; GATHERS: masked.gather
define void @lane_components(ptr noalias %indices, ptr noalias %in, ptr noalias %out, i64 %count) {
entry:
  br label %items
items:
  %item = phi i64 [ 0, %entry ], [ %item.next, %items ]
  %p = getelementptr inbounds i64, ptr %indices, i64 %item
  %at = load i64, ptr %p
  %b = getelementptr inbounds i8, ptr %in, i64 %at
  %x = load <3 x i8>, ptr %b, align 1
  %first = extractelement <3 x i8> %x, i64 0
  %second = extractelement <3 x i8> %x, i64 1
  %third = extractelement <3 x i8> %x, i64 2
  %sum = add i8 %first, %second
  %all = add i8 %sum, %third
  %q = getelementptr inbounds i8, ptr %out, i64 %item
  store i8 %all, ptr %q
  %item.next = add nuw nsw i64 %item, 1
  %more = icmp ult i64 %item.next, %count
  br i1 %more, label %items, label %done, !llvm.loop !0
done:
  ret void
}

!0 = distinct !{!0, !1}
!1 = !{!"quern.item-loop"}
