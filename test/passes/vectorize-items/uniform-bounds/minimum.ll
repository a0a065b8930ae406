; SPDX-License-Identifier: Apache-2.0
; SPDX-FileCopyrightText: The Quern authors
; A minimum is a clamp too, also where a constant is added to it. The end is uniform and needs no test.
; RUN: %quernc --passes="vectorize-items<width=8;no-wide-loads>" %s | FileCheck %s

; CHECK-LABEL: @minimum(
; CHECK: icmp ne <8 x i32> {{.*}}, %.splat
; CHECK: [[START:%.*]] = icmp eq i64 {{.*}}, 0
; CHECK-NEXT: br i1 [[START]]
; CHECK: masked.gather
; CHECK: @llvm.masked.load.v8f32.p1(
; CHECK: ret void
define void @minimum(ptr addrspace(1) noalias %in, ptr addrspace(1) noalias %out, i32 %low, i32 %high, i64 %count) {
entry:
  br label %items
items:
  %item = phi i64 [ 0, %entry ], [ %item.next, %latch ]
  %id = trunc i64 %item to i32
  %least = call i32 @llvm.umin.i32(i32 %id, i32 %low)
  %start = add i32 %least, 2
  %is.empty = icmp uge i32 %start, %high
  br i1 %is.empty, label %latch, label %inner
inner:
  %k = phi i32 [ %start, %items ], [ %k.next, %inner ]
  %sum = phi float [ 0.0, %items ], [ %sum.next, %inner ]
  %at = zext i32 %k to i64
  %index = add i64 %item, %at
  %p = getelementptr float, ptr addrspace(1) %in, i64 %index
  %x = load float, ptr addrspace(1) %p
  %sum.next = fadd float %sum, %x
  %k.next = add nuw nsw i32 %k, 1
  %again = icmp ult i32 %k.next, %high
  br i1 %again, label %inner, label %latch
latch:
  %result = phi float [ 0.0, %items ], [ %sum.next, %inner ]
  %q = getelementptr inbounds float, ptr addrspace(1) %out, i64 %item
  store float %result, ptr addrspace(1) %q
  %item.next = add nuw nsw i64 %item, 1
  %more = icmp ult i64 %item.next, %count
  br i1 %more, label %items, label %done, !llvm.loop !0
done:
  ret void
}

declare i32 @llvm.umin.i32(i32, i32)

!0 = distinct !{!0, !1}
!1 = !{!"quern.item-loop"}
