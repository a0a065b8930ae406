; SPDX-License-Identifier: Apache-2.0
; SPDX-FileCopyrightText: The Quern authors
; A clamped index is tested for each vector: no lane reaches the clamp, or the vector is gathered.
; RUN: %quernc --passes="vectorize-items<width=8>" %s | FileCheck %s

; CHECK-LABEL: @clamp(
; CHECK: masked:
; CHECK: %[[REACHES:.*]] = icmp sle i64 %{{.*}}, %{{.*}}
; CHECK: br i1 %{{.*}}, label %contiguous, label %gather
; CHECK: contiguous:
; CHECK: @llvm.masked.load.v8f32
; CHECK: gather:
; CHECK: @llvm.masked.gather.v8f32
define void @clamp(ptr noalias %in, ptr noalias %out, i32 %last, i64 %count) {
entry:
  br label %items
items:
  %item = phi i64 [ 0, %entry ], [ %item.next, %items ]
  %id = trunc i64 %item to i32
  %at32 = call i32 @llvm.umin.i32(i32 %id, i32 %last)
  %at = zext i32 %at32 to i64
  %p = getelementptr inbounds float, ptr %in, i64 %at
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
