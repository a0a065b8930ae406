; SPDX-License-Identifier: Apache-2.0
; SPDX-FileCopyrightText: The Quern authors
; Work-groups of two dimensions may have fewer work-items along x than a vector has lanes: where vectors take less
; than a quarter of the time of the scalar version, they may take more.
; RUN: env QUERN_CPU=sapphirerapids %quernc --passes=vectorize-items %s | FileCheck %s

; CHECK-LABEL: define void @tiles(
; CHECK-NOT: <16 x
; CHECK-LABEL: define void @lines(
; CHECK: <16 x float>

define void @tiles(ptr noalias %in, ptr noalias %table, ptr noalias %out, i64 %count, i64 %rows) #0 {
entry:
  br label %first.y
first.y:
  %first.row = phi i64 [ 0, %entry ], [ %first.row.next, %first.y.next ]
  %first.start = mul i64 %first.row, %count
  br label %first
first:
  %first.item = phi i64 [ 0, %first.y ], [ %first.next, %first ]
  %first.i = add i64 %first.start, %first.item
  %first.p = getelementptr inbounds i32, ptr %in, i64 %first.i
  %first.w = load i32, ptr %first.p
  %first.x = sext i32 %first.w to i64
  %first.t = getelementptr inbounds float, ptr %table, i64 %first.x
  %first.v0 = load float, ptr %first.t
  %first.v1 = fmul float %first.v0, %first.v0
  %first.q = getelementptr inbounds float, ptr %out, i64 %first.i
  %first.v2 = fadd float %first.v1, %first.v0
  %first.v3 = fadd float %first.v2, %first.v0
  %first.v4 = fadd float %first.v3, %first.v0
  %first.v5 = fadd float %first.v4, %first.v0
  %first.v6 = fadd float %first.v5, %first.v0
  %first.v7 = fadd float %first.v6, %first.v0
  %first.v8 = fadd float %first.v7, %first.v0
  %first.v9 = fadd float %first.v8, %first.v0
  %first.v10 = fadd float %first.v9, %first.v0
  store float %first.v10, ptr %first.q
  %first.next = add nuw nsw i64 %first.item, 1
  %first.more = icmp ult i64 %first.next, %count
  br i1 %first.more, label %first, label %first.y.next, !llvm.loop !0
first.y.next:
  %first.row.next = add nuw nsw i64 %first.row, 1
  %first.y.more = icmp ult i64 %first.row.next, %rows
  br i1 %first.y.more, label %first.y, label %second.y, !llvm.loop !4
second.y:
  %second.row = phi i64 [ 0, %first.y.next ], [ %second.row.next, %second.y.next ]
  %second.start = mul i64 %second.row, %count
  br label %second
second:
  %second.item = phi i64 [ 0, %second.y ], [ %second.next, %second ]
  %second.i = add i64 %second.start, %second.item
  %second.p = getelementptr inbounds i32, ptr %in, i64 %second.i
  %second.w = load i32, ptr %second.p
  %second.x = sext i32 %second.w to i64
  %second.t = getelementptr inbounds float, ptr %table, i64 %second.x
  %second.v0 = load float, ptr %second.t
  %second.v1 = fmul float %second.v0, %second.v0
  %second.q = getelementptr inbounds float, ptr %out, i64 %second.i
  %second.v2 = fadd float %second.v1, %second.v0
  %second.v3 = fadd float %second.v2, %second.v0
  %second.v4 = fadd float %second.v3, %second.v0
  %second.v5 = fadd float %second.v4, %second.v0
  %second.v6 = fadd float %second.v5, %second.v0
  %second.v7 = fadd float %second.v6, %second.v0
  %second.v8 = fadd float %second.v7, %second.v0
  %second.v9 = fadd float %second.v8, %second.v0
  %second.v10 = fadd float %second.v9, %second.v0
  store float %second.v10, ptr %second.q
  %second.next = add nuw nsw i64 %second.item, 1
  %second.more = icmp ult i64 %second.next, %count
  br i1 %second.more, label %second, label %second.y.next, !llvm.loop !2
second.y.next:
  %second.row.next = add nuw nsw i64 %second.row, 1
  %second.y.more = icmp ult i64 %second.row.next, %rows
  br i1 %second.y.more, label %second.y, label %done, !llvm.loop !6
done:
  ret void
}

define void @lines(ptr noalias %in, ptr noalias %table, ptr noalias %out, i64 %count, i64 %rows) #0 {
entry:
  br label %first.y
first.y:
  %first.row = phi i64 [ 0, %entry ], [ %first.row.next, %first.y.next ]
  %first.start = mul i64 %first.row, %count
  br label %first
first:
  %first.item = phi i64 [ 0, %first.y ], [ %first.next, %first ]
  %first.i = add i64 %first.start, %first.item
  %first.p = getelementptr inbounds i32, ptr %in, i64 %first.i
  %first.w = load i32, ptr %first.p
  %first.x = sext i32 %first.w to i64
  %first.t = getelementptr inbounds float, ptr %table, i64 %first.x
  %first.v0 = load float, ptr %first.t
  %first.v1 = fmul float %first.v0, %first.v0
  %first.q = getelementptr inbounds float, ptr %out, i64 %first.i
  %first.v2 = fadd float %first.v1, %first.v0
  %first.v3 = fadd float %first.v2, %first.v0
  %first.v4 = fadd float %first.v3, %first.v0
  %first.v5 = fadd float %first.v4, %first.v0
  %first.v6 = fadd float %first.v5, %first.v0
  %first.v7 = fadd float %first.v6, %first.v0
  %first.v8 = fadd float %first.v7, %first.v0
  %first.v9 = fadd float %first.v8, %first.v0
  %first.v10 = fadd float %first.v9, %first.v0
  store float %first.v10, ptr %first.q
  %first.next = add nuw nsw i64 %first.item, 1
  %first.more = icmp ult i64 %first.next, %count
  br i1 %first.more, label %first, label %first.y.next, !llvm.loop !0
first.y.next:
  %first.row.next = add nuw nsw i64 %first.row, 1
  %first.y.more = icmp ult i64 %first.row.next, %rows
  br i1 %first.y.more, label %first.y, label %second.y
second.y:
  %second.row = phi i64 [ 0, %first.y.next ], [ %second.row.next, %second.y.next ]
  %second.start = mul i64 %second.row, %count
  br label %second
second:
  %second.item = phi i64 [ 0, %second.y ], [ %second.next, %second ]
  %second.i = add i64 %second.start, %second.item
  %second.p = getelementptr inbounds i32, ptr %in, i64 %second.i
  %second.w = load i32, ptr %second.p
  %second.x = sext i32 %second.w to i64
  %second.t = getelementptr inbounds float, ptr %table, i64 %second.x
  %second.v0 = load float, ptr %second.t
  %second.v1 = fmul float %second.v0, %second.v0
  %second.q = getelementptr inbounds float, ptr %out, i64 %second.i
  %second.v2 = fadd float %second.v1, %second.v0
  %second.v3 = fadd float %second.v2, %second.v0
  %second.v4 = fadd float %second.v3, %second.v0
  %second.v5 = fadd float %second.v4, %second.v0
  %second.v6 = fadd float %second.v5, %second.v0
  %second.v7 = fadd float %second.v6, %second.v0
  %second.v8 = fadd float %second.v7, %second.v0
  %second.v9 = fadd float %second.v8, %second.v0
  %second.v10 = fadd float %second.v9, %second.v0
  store float %second.v10, ptr %second.q
  %second.next = add nuw nsw i64 %second.item, 1
  %second.more = icmp ult i64 %second.next, %count
  br i1 %second.more, label %second, label %second.y.next, !llvm.loop !2
second.y.next:
  %second.row.next = add nuw nsw i64 %second.row, 1
  %second.y.more = icmp ult i64 %second.row.next, %rows
  br i1 %second.y.more, label %second.y, label %done
done:
  ret void
}

attributes #0 = { "prefer-vector-width"="512" }

!0 = distinct !{!0, !1}
!1 = !{!"quern.item-loop"}
!2 = distinct !{!2, !1}
!3 = !{!"quern.y-loop"}
!4 = distinct !{!4, !3}
!6 = distinct !{!6, !3}
