; SPDX-License-Identifier: Apache-2.0
; SPDX-FileCopyrightText: The Quern authors
; A small cold function is inlined, in the block that hardly any work-item runs.
; RUN: %quernc --passes=inline-rare-calls %s | FileCheck %s

; CHECK-LABEL: define <16 x float> @caller(
; CHECK: rare:
; CHECK-NEXT: %[[RESULT:.*]] = fmul <16 x float> %x, splat (float 2.000000e+00)
; CHECK-NOT: call
; CHECK: phi <16 x float> [ %x, %entry ], [ %[[RESULT]], %rare ]
define <16 x float> @caller(<16 x float> %x, i1 %any) {
entry:
  br i1 %any, label %rare, label %next, !prof !0
rare:
  %y = call <16 x float> @limited(<16 x float> %x)
  br label %next
next:
  %r = phi <16 x float> [ %x, %entry ], [ %y, %rare ]
  ret <16 x float> %r
}

define internal <16 x float> @limited(<16 x float> %x) cold noinline {
  %y = fmul <16 x float> %x, splat (float 2.0)
  ret <16 x float> %y
}

!0 = !{!"branch_weights", !"expected", i32 1, i32 2000}
