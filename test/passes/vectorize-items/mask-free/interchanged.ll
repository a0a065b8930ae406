; SPDX-License-Identifier: Apache-2.0
; SPDX-FileCopyrightText: The Quern authors
; In a loop over rows there is a version without masks for groups that whole vectors fill. There the loop over rows is
; the inner one.
; RUN: %quernc --passes="vectorize-items<width=8;no-jam>" %s | FileCheck %s

; CHECK-LABEL: @interchanged(
; CHECK: %[[REST:.*]] = and i64 %width, 7
; CHECK: icmp eq i64 %[[REST]], 0
; CHECK: br i1 %{{.*}}, label %unmasked, label %rows
; CHECK: unmasked.y:
; CHECK: load <8 x float>, ptr
; CHECK: store <8 x float>
; CHECK: unmasked.y.latch:
define void @interchanged(ptr noalias %in, ptr noalias %out, i64 %pitch, i64 %width, i64 %height) {
entry:
  br label %rows
rows:
  %y = phi i64 [ 0, %entry ], [ %y.next, %rows.next ]
  br label %items
items:
  %item = phi i64 [ 0, %rows ], [ %item.next, %items ]
  %row = mul i64 %y, %pitch
  %at = add i64 %row, %item
  %p = getelementptr inbounds float, ptr %in, i64 %at
  %x = load float, ptr %p
  %q = getelementptr inbounds float, ptr %out, i64 %at
  store float %x, ptr %q
  %item.next = add nuw nsw i64 %item, 1
  %more = icmp ult i64 %item.next, %width
  br i1 %more, label %items, label %rows.next, !llvm.loop !0
rows.next:
  %y.next = add nuw nsw i64 %y, 1
  %y.more = icmp ult i64 %y.next, %height
  br i1 %y.more, label %rows, label %done, !llvm.loop !2
done:
  ret void
}

!0 = distinct !{!0, !1}
!1 = !{!"quern.item-loop"}
!2 = distinct !{!2, !3}
!3 = !{!"quern.y-loop"}
