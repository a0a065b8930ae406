; SPDX-License-Identifier: Apache-2.0
; SPDX-FileCopyrightText: The Quern authors
; Work-items beyond a bound do not run: the bound limits the interleaved loop and the one for the rest.
; RUN: %quernc --passes="vectorize-items<scalar;interleave=2>" %s | FileCheck %s

; CHECK-LABEL: @bound(
; CHECK: %[[END:.*]] = call i64 @llvm.umin.i64(
; CHECK: call i64 @llvm.umax.i64(i64 %[[END]], i64 1)
; CHECK: and i64 %{{.*}}, -2
; CHECK-COUNT-2: store <16 x i32>
define void @bound(ptr noalias %in, ptr noalias %out, i64 %n, i64 %count) {
entry:
  br label %items
items:
  %item = phi i64 [ 0, %entry ], [ %item.next, %next ]
  %inside = icmp ult i64 %item, %n
  br i1 %inside, label %body, label %next
body:
  %p = getelementptr inbounds <16 x i32>, ptr %in, i64 %item
  %x = load <16 x i32>, ptr %p
  %y = add <16 x i32> %x, splat (i32 7)
  %q = getelementptr inbounds <16 x i32>, ptr %out, i64 %item
  store <16 x i32> %y, ptr %q
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
