; SPDX-License-Identifier: Apache-2.0
; SPDX-FileCopyrightText: The Quern authors
; Where all lanes share the bounds, which are selects with a uniform operand, the loop has a version: its counter is
; uniform, and the lanes' elements are contiguous.
; RUN: %quernc --passes="vectorize-items<width=8;no-wide-loads>" %s | FileCheck %s

; CHECK-LABEL: @window(
; CHECK: icmp ne <8 x i32> {{.*}}, %.splat
; CHECK: [[START:%.*]] = icmp eq i64 {{.*}}, 0
; CHECK: icmp ne <8 x i32> {{.*}}, %.splat
; CHECK: [[END:%.*]] = icmp eq i64 {{.*}}, 0
; CHECK: and i1 [[START]], [[END]]
; CHECK: masked.gather
; CHECK: @llvm.masked.load.v8f32.p1(
; CHECK: ret void
define void @window(ptr addrspace(1) noalias %in, ptr addrspace(1) noalias %out, i32 %low, i32 %high, i64 %count) {
entry:
  br label %items
items:
  %item = phi i64 [ 0, %entry ], [ %item.next, %latch ]
  %id = trunc i64 %item to i32
  %is.low = icmp ult i32 %id, %low
  %start = select i1 %is.low, i32 %id, i32 0
  %is.high = icmp ugt i32 %id, %high
  %end = select i1 %is.high, i32 %id, i32 %high
  %is.empty = icmp uge i32 %start, %end
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
  %again = icmp ult i32 %k.next, %end
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
