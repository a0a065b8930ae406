; SPDX-License-Identifier: Apache-2.0
; SPDX-FileCopyrightText: The Quern authors
; The bits of a lane are together: a bitcast between vectors of several sizes is one.
; RUN: %quernc --passes="vectorize-items<width=4>" %s | FileCheck %s

; CHECK-LABEL: define void @bitcast(
; CHECK: bitcast <16 x i8> {{.*}} to <4 x i32>
; CHECK-NOT: lshr
; CHECK: add <4 x i32>
; CHECK: bitcast <4 x i32> {{.*}} to <16 x i8>
define void @bitcast(ptr noalias %in, ptr noalias %out, i64 %count) {
entry:
  br label %items
items:
  %item = phi i64 [ 0, %entry ], [ %item.next, %items ]
  %p = getelementptr inbounds <4 x i8>, ptr %in, i64 %item
  %x = load <4 x i8>, ptr %p, align 4
  %y = bitcast <4 x i8> %x to <1 x i32>
  %z = add <1 x i32> %y, splat (i32 77)
  %r = bitcast <1 x i32> %z to <4 x i8>
  %q = getelementptr inbounds <4 x i8>, ptr %out, i64 %item
  store <4 x i8> %r, ptr %q, align 4
  %item.next = add nuw nsw i64 %item, 1
  %more = icmp ult i64 %item.next, %count
  br i1 %more, label %items, label %done, !llvm.loop !0
done:
  ret void
}

!0 = distinct !{!0, !1}
!1 = !{!"quern.item-loop"}
