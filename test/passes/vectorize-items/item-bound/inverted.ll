; SPDX-License-Identifier: Apache-2.0
; SPDX-FileCopyrightText: The Quern authors
; The test may be the other way round.
; RUN: %quernc --passes="vectorize-items<width=8>" %s | FileCheck %s

; CHECK-LABEL: @inverted(
; CHECK: %[[END:.*]] = call i64 @llvm.umin.i64(i64 %count, i64 %{{.*}})
; CHECK: sub i64 %[[END]], %first
; CHECK: %[[ON:.*]] = icmp ult <8 x i32> <i32 0,
; CHECK: call void @llvm.masked.store.v8i32.p0({{.*}}, <8 x i1> %[[ON]])
; CHECK: icmp ult i64 %{{.*}}, %[[END]]
define void @inverted(ptr noalias %out, i64 %n, i64 %count) {
entry:
  br label %items
items:
  %item = phi i64 [ 0, %entry ], [ %item.next, %next ]
  %inside = icmp uge i64 %item, %n
  br i1 %inside, label %next, label %body
body:
  %q = getelementptr inbounds i32, ptr %out, i64 %item
  store i32 7, ptr %q
  br label %next
next:
  %item.next = add nuw nsw i64 %item, 1
  %more = icmp ult i64 %item.next, %count
  br i1 %more, label %items, label %done, !llvm.loop !0
done:
  ret void
}

!0 = distinct !{!0, !1}
!1 = !{!"quern.item-loop"}
