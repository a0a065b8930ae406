; SPDX-License-Identifier: Apache-2.0
; SPDX-FileCopyrightText: The Quern authors
; An index that may be clamped: the components of all lanes are loaded as they are where no lane's is, and gathered and
; put together elsewhere.
; RUN: %quernc --passes="vectorize-items<width=4>" %s | FileCheck %s

; CHECK-LABEL: define void @clamped(
; CHECK: br i1 {{.*}}, label %contiguous, label %gather
; CHECK: contiguous:
; CHECK-NOT: shufflevector <16 x float>
; CHECK: gather:
; CHECK: load.end:
; CHECK-NEXT: [[ALL:%.*]] = phi <16 x float>
; CHECK: fadd <16 x float> [[ALL]],
define void @clamped(ptr noalias %in, ptr noalias %out, i32 %last, i64 %count) {
entry:
  br label %items
items:
  %item = phi i64 [ 0, %entry ], [ %item.next, %items ]
  %number = trunc i64 %item to i32
  %clamped = call i32 @llvm.smin.i32(i32 %number, i32 %last)
  %index = zext nneg i32 %clamped to i64
  %p = getelementptr inbounds <4 x float>, ptr %in, i64 %index
  %x = load <4 x float>, ptr %p, align 16
  %y = fadd <4 x float> %x, splat (float 1.0)
  %q = getelementptr inbounds <4 x float>, ptr %out, i64 %item
  store <4 x float> %y, ptr %q, align 16
  %item.next = add nuw nsw i64 %item, 1
  %more = icmp ult i64 %item.next, %count
  br i1 %more, label %items, label %done, !llvm.loop !0
done:
  ret void
}

declare i32 @llvm.smin.i32(i32, i32)

!0 = distinct !{!0, !1}
!1 = !{!"quern.item-loop"}
