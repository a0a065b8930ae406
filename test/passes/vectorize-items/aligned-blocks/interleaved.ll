; SPDX-License-Identifier: Apache-2.0
; SPDX-FileCopyrightText: The Quern authors
; Two interleaved vectors of 16 lanes are in two blocks of 16. Outside of loops that is gathered, as a test finds out;
; in a loop, where gathers would cost more than interleaving gains, vectors are not interleaved.
; RUN: %quernc --passes="vectorize-items<width=16;interleave=2>" %s | FileCheck %s

; CHECK-LABEL: @once(
; CHECK: items.wide:
; CHECK: br i1 %{{.*}}, label %contiguous, label %gather
; CHECK: insertelement <32 x float> poison
; CHECK-LABEL: @loop(
; CHECK: items.wide:
; CHECK-NOT: {{gather|icmp uge}}
; CHECK: %[[V:.*]] = load float
; CHECK: insertelement <16 x float> poison, float %[[V]], i64 0
; CHECK-NOT: {{gather|icmp uge|<32 x}}
; CHECK: ret void
define void @once(ptr %in, ptr noalias %out, i64 %count) {
entry:
  br label %items
items:
  %item = phi i64 [ 0, %entry ], [ %item.next, %items ]
  %narrow = trunc nuw nsw i64 %item to i32
  %tile = lshr i32 %narrow, 4
  %index = zext nneg i32 %tile to i64
  %p = getelementptr inbounds float, ptr %in, i64 %index
  %v = load float, ptr %p
  %q = getelementptr inbounds float, ptr %out, i64 %item
  store float %v, ptr %q
  %item.next = add nuw nsw i64 %item, 1
  %more = icmp ult i64 %item.next, %count
  br i1 %more, label %items, label %done, !llvm.loop !0
done:
  ret void
}

define void @loop(ptr %in, ptr noalias %out, i64 %steps, i64 %count) {
entry:
  br label %items
items:
  %item = phi i64 [ 0, %entry ], [ %item.next, %next ]
  %tile = lshr i64 %item, 4
  %line = getelementptr inbounds float, ptr %in, i64 %tile
  br label %step
step:
  %i = phi i64 [ 0, %items ], [ %i.next, %step ]
  %sum = phi float [ 0.0, %items ], [ %sum.next, %step ]
  %far = shl nuw nsw i64 %i, 8
  %p = getelementptr inbounds float, ptr %line, i64 %far
  %v = load float, ptr %p
  %sum.next = fadd float %sum, %v
  %i.next = add nuw nsw i64 %i, 1
  %again = icmp ult i64 %i.next, %steps
  br i1 %again, label %step, label %next
next:
  %q = getelementptr inbounds float, ptr %out, i64 %item
  store float %sum.next, ptr %q
  %item.next = add nuw nsw i64 %item, 1
  %more = icmp ult i64 %item.next, %count
  br i1 %more, label %items, label %done, !llvm.loop !2
done:
  ret void
}

!0 = distinct !{!0, !1}
!1 = !{!"quern.item-loop"}
!2 = distinct !{!2, !1}
