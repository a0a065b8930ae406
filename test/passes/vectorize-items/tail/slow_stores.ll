; SPDX-License-Identifier: Apache-2.0
; SPDX-FileCopyrightText: The Quern authors
; Machines that store under a mask by microcode have a loop without masks before the one with: it runs the work-items
; that fill vectors. Elsewhere one loop does both.
; RUN: env QUERN_CPU=znver3 %quernc --passes="vectorize-items<width=8>" %s | FileCheck --check-prefix=SLOW %s
; RUN: env QUERN_CPU=haswell %quernc --passes="vectorize-items<width=8>" %s | FileCheck --check-prefix=FAST %s
; RUN: env QUERN_CPU=znver4 %quernc --passes="vectorize-items<width=8>" %s | FileCheck --check-prefix=FAST %s

; SLOW-LABEL: @words(
; SLOW: store <8 x i32> splat (i32 7), ptr
; SLOW: call void @llvm.masked.store.v8i32
; FAST-LABEL: @words(
; FAST-NOT: store <8 x i32>
; FAST: call void @llvm.masked.store.v8i32
define void @words(ptr noalias %out, i64 %count) {
entry:
  br label %items
items:
  %item = phi i64 [ 0, %entry ], [ %item.next, %items ]
  %q = getelementptr inbounds i32, ptr %out, i64 %item
  store i32 7, ptr %q
  %item.next = add nuw nsw i64 %item, 1
  %more = icmp ult i64 %item.next, %count
  br i1 %more, label %items, label %done, !llvm.loop !0
done:
  ret void
}

!0 = distinct !{!0, !1}
!1 = !{!"quern.item-loop"}
