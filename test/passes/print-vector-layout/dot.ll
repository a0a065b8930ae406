; SPDX-License-Identifier: Apache-2.0
; SPDX-FileCopyrightText: The Quern authors
; A sum over components: taking each from all registers costs more than a transposition of the load.
; RUN: %quernc --passes="print<vector-layout>" %s 2>&1 >/dev/null | FileCheck %s

; CHECK-LABEL: Vector layout of 'dot':
; CHECK: SOA: {{.*}} load <4 x float>
; CHECK: SOA: {{.*}} fmul <4 x float>
define void @dot(ptr noalias %in, ptr noalias %out, i64 %count) {
entry:
  br label %items
items:
  %item = phi i64 [ 0, %entry ], [ %item.next, %items ]
  %p = getelementptr inbounds <4 x float>, ptr %in, i64 %item
  %v = load <4 x float>, ptr %p, align 16
  %s = fmul <4 x float> %v, %v
  %a = extractelement <4 x float> %s, i64 0
  %b = extractelement <4 x float> %s, i64 1
  %c = extractelement <4 x float> %s, i64 2
  %d = extractelement <4 x float> %s, i64 3
  %e = fadd float %a, %b
  %f = fadd float %e, %c
  %g = fadd float %f, %d
  %q = getelementptr inbounds float, ptr %out, i64 %item
  store float %g, ptr %q
  %item.next = add nuw nsw i64 %item, 1
  %more = icmp ult i64 %item.next, %count
  br i1 %more, label %items, label %done, !llvm.loop !0
done:
  ret void
}

!0 = distinct !{!0, !1}
!1 = !{!"quern.item-loop"}
