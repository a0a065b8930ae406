; SPDX-License-Identifier: Apache-2.0
; SPDX-FileCopyrightText: The Quern authors
; 32-bit indices are computed in 64 bits for the first and the last work-item and row; that they fit is part of the
; condition, and nothing wraps in this version.
; RUN: %quernc --passes="vectorize-items<width=8;no-jam>" %s | FileCheck %s

; CHECK-LABEL: @narrow(
; CHECK: mul i64
; CHECK: icmp ult i64 %{{.*}}, 4294967296
; CHECK: br i1 %{{.*}}, label %unmasked, label %rows
; CHECK: unmasked.y:
; CHECK: load <8 x float>, ptr
; CHECK: unmasked.y.latch:
define void @narrow(ptr noalias %in, ptr noalias %out, i32 %pitch, i64 %width, i64 %height) {
entry:
  br label %rows
rows:
  %y = phi i64 [ 0, %entry ], [ %y.next, %rows.next ]
  br label %items
items:
  %item = phi i64 [ 0, %rows ], [ %item.next, %items ]
  %y32 = trunc i64 %y to i32
  %x32 = trunc i64 %item to i32
  %row = mul i32 %y32, %pitch
  %at32 = add i32 %row, %x32
  %at = zext i32 %at32 to i64
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
