; SPDX-License-Identifier: Apache-2.0
; SPDX-FileCopyrightText: The Quern authors
; Under a mask each component has the bit of its lane; the phi behind is blended with it.
; RUN: %quernc --passes="vectorize-items<width=4>" %s | FileCheck %s

; CHECK-LABEL: define void @masked(
; CHECK: select <16 x i1> {{.*}}, <16 x i8>
define void @masked(ptr noalias %in, ptr noalias %bounds, ptr noalias %out, i64 %count) {
entry:
  br label %items
items:
  %item = phi i64 [ 0, %entry ], [ %item.next, %next ]
  %p = getelementptr inbounds <4 x i8>, ptr %in, i64 %item
  %x = load <4 x i8>, ptr %p, align 4
  %b = getelementptr inbounds i32, ptr %bounds, i64 %item
  %bound = load i32, ptr %b
  %is = icmp ult i32 %bound, 9
  br i1 %is, label %then, label %next
then:
  %y = sub <4 x i8> %x, splat (i8 3)
  %z = mul <4 x i8> %y, %y
  br label %next
next:
  %r = phi <4 x i8> [ %x, %items ], [ %z, %then ]
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
