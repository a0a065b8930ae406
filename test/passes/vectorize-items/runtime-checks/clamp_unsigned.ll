; SPDX-License-Identifier: Apache-2.0
; SPDX-FileCopyrightText: The Quern authors
; A signed clamp is strided from -1 to 0 as well, where its zero extension wraps: both have a test. The position in an
; aligned block is never negative: there the extension needs none.
; RUN: %quernc --passes="vectorize-items<width=8>" %s | FileCheck %s

declare i32 @llvm.smin.i32(i32, i32)

; CHECK-LABEL: @clamped(
; CHECK: icmp ule i32 %{{.*}}, -8
; CHECK: br i1 %{{.*}}, label %contiguous, label %gather
define void @clamped(ptr noalias %in, ptr noalias %out, i32 %first, i32 %limit, i64 %count) {
entry:
  br label %items
items:
  %item = phi i64 [ 0, %entry ], [ %item.next, %items ]
  %narrow = trunc i64 %item to i32
  %id = add i32 %narrow, %first
  %clamped = call i32 @llvm.smin.i32(i32 %id, i32 %limit)
  %index = zext i32 %clamped to i64
  %p = getelementptr inbounds float, ptr %in, i64 %index
  %x = load float, ptr %p
  %q = getelementptr inbounds float, ptr %out, i64 %item
  store float %x, ptr %q
  %item.next = add nuw nsw i64 %item, 1
  %more = icmp ult i64 %item.next, %count
  br i1 %more, label %items, label %done, !llvm.loop !0
done:
  ret void
}

; CHECK-LABEL: @position(
; CHECK-NOT: icmp ule
; CHECK: br i1 %{{.*}}, label %contiguous
; CHECK: ret void
define void @position(ptr noalias %in, ptr noalias %out, i32 %first, i64 %count) {
entry:
  br label %items
items:
  %item = phi i64 [ 0, %entry ], [ %item.next, %items ]
  %narrow = trunc i64 %item to i32
  %id = add i32 %narrow, %first
  %position = and i32 %id, 63
  %moved = add nuw nsw i32 %position, 5
  %index = zext nneg i32 %moved to i64
  %p = getelementptr inbounds float, ptr %in, i64 %index
  %x = load float, ptr %p
  %q = getelementptr inbounds float, ptr %out, i64 %item
  store float %x, ptr %q
  %item.next = add nuw nsw i64 %item, 1
  %more = icmp ult i64 %item.next, %count
  br i1 %more, label %items, label %done, !llvm.loop !0
done:
  ret void
}

!0 = distinct !{!0, !1}
!1 = !{!"quern.item-loop"}
