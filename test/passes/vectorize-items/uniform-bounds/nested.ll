; SPDX-License-Identifier: Apache-2.0
; SPDX-FileCopyrightText: The Quern authors
; Of loops inside each other the outer one has a version, in which the bounds that the inner one has too are uniform.
; RUN: %quernc --passes="vectorize-items<width=8;no-wide-loads>" %s | FileCheck %s

; CHECK-LABEL: @nested(
; CHECK: icmp ne <8 x i32> {{.*}}, %.splat
; CHECK-NOT: icmp ne <8 x i32> {{.*}}, %.splat
; CHECK: br i1
; CHECK: masked.gather
; CHECK-NOT: @llvm.masked.gather.v8f32.v8p1(
; CHECK: @llvm.masked.load.v8f32.p1(
; CHECK: ret void
define void @nested(ptr addrspace(1) noalias %in, ptr addrspace(1) noalias %out, i32 %low, i32 %high, i64 %count) {
entry:
  br label %items
items:
  %item = phi i64 [ 0, %entry ], [ %item.next, %latch ]
  %id = trunc i64 %item to i32
  %start = call i32 @llvm.umin.i32(i32 %id, i32 %low)
  br label %outer
outer:
  %k = phi i32 [ %start, %items ], [ %k.next, %outer.latch ]
  %outer.sum = phi float [ 0.0, %items ], [ %sum.next, %outer.latch ]
  br label %inner
inner:
  %j = phi i32 [ %start, %outer ], [ %j.next, %inner ]
  %sum = phi float [ %outer.sum, %outer ], [ %sum.next, %inner ]
  %both = add nuw nsw i32 %k, %j
  %at = zext i32 %both to i64
  %index = add i64 %item, %at
  %p = getelementptr float, ptr addrspace(1) %in, i64 %index
  %x = load float, ptr addrspace(1) %p
  %sum.next = fadd float %sum, %x
  %j.next = add nuw nsw i32 %j, 1
  %again = icmp ult i32 %j.next, %high
  br i1 %again, label %inner, label %outer.latch
outer.latch:
  %k.next = add nuw nsw i32 %k, 1
  %outer.again = icmp ult i32 %k.next, %high
  br i1 %outer.again, label %outer, label %latch
latch:
  %q = getelementptr inbounds float, ptr addrspace(1) %out, i64 %item
  store float %sum.next, ptr addrspace(1) %q
  %item.next = add nuw nsw i64 %item, 1
  %more = icmp ult i64 %item.next, %count
  br i1 %more, label %items, label %done, !llvm.loop !0
done:
  ret void
}

declare i32 @llvm.umin.i32(i32, i32)

!0 = distinct !{!0, !1}
!1 = !{!"quern.item-loop"}
