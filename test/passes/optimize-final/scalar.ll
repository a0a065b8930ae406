; SPDX-License-Identifier: Apache-2.0
; SPDX-FileCopyrightText: The Quern authors
; Passes can be left out by their names, and the required ones cannot.
; RUN: %quernc --passes=optimize-final --disable-passes=vectorize-items,vectorize-loops %s | FileCheck %s
; RUN: not %quernc --passes=optimize-final --disable-passes=lower-ldexp %s 2>&1 | FileCheck %s --check-prefix=REFUSED
; REFUSED: error: QUERN_DISABLE_PASSES: correct code needs 'lower-ldexp'
; RUN: not %quernc --passes=optimize-final --disable-passes=fix-byte-shuffles %s 2>&1 \
; RUN:   | FileCheck %s --check-prefix=TARGET
; TARGET: error: QUERN_DISABLE_PASSES: correct code needs 'fix-byte-shuffles'

; CHECK-LABEL: @strided(
; CHECK-NOT: load <
; CHECK: ret
define void @strided(ptr noalias %in, ptr noalias %out, i64 %count) {
entry:
  br label %items
items:
  %item = phi i64 [ 0, %entry ], [ %item.next, %next ]
  %p = getelementptr inbounds float, ptr %in, i64 %item
  %q = getelementptr inbounds float, ptr %out, i64 %item
  %x = load float, ptr %p
  %y = fadd float %x, 1.0
  store float %y, ptr %q
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
