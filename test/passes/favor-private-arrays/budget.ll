; SPDX-License-Identifier: Apache-2.0
; SPDX-FileCopyrightText: The Quern authors
; Seven loops of 2,160 instructions each are unrolled, eight are more than a function may have.
; RUN: %quernc --passes='function(favor-private-arrays)' %s | FileCheck %s

; CHECK-LABEL: @seven(
; CHECK-COUNT-7: br i1 %done{{.*}}, !llvm.loop
; CHECK-LABEL: @eight(
; CHECK-NOT: !llvm.loop
; CHECK: ret void
define void @seven() {
entry:
  %array = alloca [240 x i32], align 4
  br label %l0

l0:
  %i0 = phi i64 [ 0, %entry ], [ %next0, %l0 ]
  %e0 = getelementptr i32, ptr %array, i64 %i0
  %v0 = load i32, ptr %e0
  %a0 = mul i32 %v0, 3
  %c0 = xor i32 %a0, 5
  %d0 = mul i32 %c0, 7
  %f0 = xor i32 %d0, 9
  %b0 = add i32 %f0, 11
  store i32 %b0, ptr %e0
  %next0 = add nuw i64 %i0, 1
  %done0 = icmp eq i64 %next0, 240
  br i1 %done0, label %l1, label %l0

l1:
  %i1 = phi i64 [ 0, %l0 ], [ %next1, %l1 ]
  %e1 = getelementptr i32, ptr %array, i64 %i1
  %v1 = load i32, ptr %e1
  %a1 = mul i32 %v1, 3
  %c1 = xor i32 %a1, 5
  %d1 = mul i32 %c1, 7
  %f1 = xor i32 %d1, 9
  %b1 = add i32 %f1, 11
  store i32 %b1, ptr %e1
  %next1 = add nuw i64 %i1, 1
  %done1 = icmp eq i64 %next1, 240
  br i1 %done1, label %l2, label %l1

l2:
  %i2 = phi i64 [ 0, %l1 ], [ %next2, %l2 ]
  %e2 = getelementptr i32, ptr %array, i64 %i2
  %v2 = load i32, ptr %e2
  %a2 = mul i32 %v2, 3
  %c2 = xor i32 %a2, 5
  %d2 = mul i32 %c2, 7
  %f2 = xor i32 %d2, 9
  %b2 = add i32 %f2, 11
  store i32 %b2, ptr %e2
  %next2 = add nuw i64 %i2, 1
  %done2 = icmp eq i64 %next2, 240
  br i1 %done2, label %l3, label %l2

l3:
  %i3 = phi i64 [ 0, %l2 ], [ %next3, %l3 ]
  %e3 = getelementptr i32, ptr %array, i64 %i3
  %v3 = load i32, ptr %e3
  %a3 = mul i32 %v3, 3
  %c3 = xor i32 %a3, 5
  %d3 = mul i32 %c3, 7
  %f3 = xor i32 %d3, 9
  %b3 = add i32 %f3, 11
  store i32 %b3, ptr %e3
  %next3 = add nuw i64 %i3, 1
  %done3 = icmp eq i64 %next3, 240
  br i1 %done3, label %l4, label %l3

l4:
  %i4 = phi i64 [ 0, %l3 ], [ %next4, %l4 ]
  %e4 = getelementptr i32, ptr %array, i64 %i4
  %v4 = load i32, ptr %e4
  %a4 = mul i32 %v4, 3
  %c4 = xor i32 %a4, 5
  %d4 = mul i32 %c4, 7
  %f4 = xor i32 %d4, 9
  %b4 = add i32 %f4, 11
  store i32 %b4, ptr %e4
  %next4 = add nuw i64 %i4, 1
  %done4 = icmp eq i64 %next4, 240
  br i1 %done4, label %l5, label %l4

l5:
  %i5 = phi i64 [ 0, %l4 ], [ %next5, %l5 ]
  %e5 = getelementptr i32, ptr %array, i64 %i5
  %v5 = load i32, ptr %e5
  %a5 = mul i32 %v5, 3
  %c5 = xor i32 %a5, 5
  %d5 = mul i32 %c5, 7
  %f5 = xor i32 %d5, 9
  %b5 = add i32 %f5, 11
  store i32 %b5, ptr %e5
  %next5 = add nuw i64 %i5, 1
  %done5 = icmp eq i64 %next5, 240
  br i1 %done5, label %l6, label %l5

l6:
  %i6 = phi i64 [ 0, %l5 ], [ %next6, %l6 ]
  %e6 = getelementptr i32, ptr %array, i64 %i6
  %v6 = load i32, ptr %e6
  %a6 = mul i32 %v6, 3
  %c6 = xor i32 %a6, 5
  %d6 = mul i32 %c6, 7
  %f6 = xor i32 %d6, 9
  %b6 = add i32 %f6, 11
  store i32 %b6, ptr %e6
  %next6 = add nuw i64 %i6, 1
  %done6 = icmp eq i64 %next6, 240
  br i1 %done6, label %exit, label %l6

exit:
  ret void
}

define void @eight() {
entry:
  %array = alloca [240 x i32], align 4
  br label %l0

l0:
  %i0 = phi i64 [ 0, %entry ], [ %next0, %l0 ]
  %e0 = getelementptr i32, ptr %array, i64 %i0
  %v0 = load i32, ptr %e0
  %a0 = mul i32 %v0, 3
  %c0 = xor i32 %a0, 5
  %d0 = mul i32 %c0, 7
  %f0 = xor i32 %d0, 9
  %b0 = add i32 %f0, 11
  store i32 %b0, ptr %e0
  %next0 = add nuw i64 %i0, 1
  %done0 = icmp eq i64 %next0, 240
  br i1 %done0, label %l1, label %l0

l1:
  %i1 = phi i64 [ 0, %l0 ], [ %next1, %l1 ]
  %e1 = getelementptr i32, ptr %array, i64 %i1
  %v1 = load i32, ptr %e1
  %a1 = mul i32 %v1, 3
  %c1 = xor i32 %a1, 5
  %d1 = mul i32 %c1, 7
  %f1 = xor i32 %d1, 9
  %b1 = add i32 %f1, 11
  store i32 %b1, ptr %e1
  %next1 = add nuw i64 %i1, 1
  %done1 = icmp eq i64 %next1, 240
  br i1 %done1, label %l2, label %l1

l2:
  %i2 = phi i64 [ 0, %l1 ], [ %next2, %l2 ]
  %e2 = getelementptr i32, ptr %array, i64 %i2
  %v2 = load i32, ptr %e2
  %a2 = mul i32 %v2, 3
  %c2 = xor i32 %a2, 5
  %d2 = mul i32 %c2, 7
  %f2 = xor i32 %d2, 9
  %b2 = add i32 %f2, 11
  store i32 %b2, ptr %e2
  %next2 = add nuw i64 %i2, 1
  %done2 = icmp eq i64 %next2, 240
  br i1 %done2, label %l3, label %l2

l3:
  %i3 = phi i64 [ 0, %l2 ], [ %next3, %l3 ]
  %e3 = getelementptr i32, ptr %array, i64 %i3
  %v3 = load i32, ptr %e3
  %a3 = mul i32 %v3, 3
  %c3 = xor i32 %a3, 5
  %d3 = mul i32 %c3, 7
  %f3 = xor i32 %d3, 9
  %b3 = add i32 %f3, 11
  store i32 %b3, ptr %e3
  %next3 = add nuw i64 %i3, 1
  %done3 = icmp eq i64 %next3, 240
  br i1 %done3, label %l4, label %l3

l4:
  %i4 = phi i64 [ 0, %l3 ], [ %next4, %l4 ]
  %e4 = getelementptr i32, ptr %array, i64 %i4
  %v4 = load i32, ptr %e4
  %a4 = mul i32 %v4, 3
  %c4 = xor i32 %a4, 5
  %d4 = mul i32 %c4, 7
  %f4 = xor i32 %d4, 9
  %b4 = add i32 %f4, 11
  store i32 %b4, ptr %e4
  %next4 = add nuw i64 %i4, 1
  %done4 = icmp eq i64 %next4, 240
  br i1 %done4, label %l5, label %l4

l5:
  %i5 = phi i64 [ 0, %l4 ], [ %next5, %l5 ]
  %e5 = getelementptr i32, ptr %array, i64 %i5
  %v5 = load i32, ptr %e5
  %a5 = mul i32 %v5, 3
  %c5 = xor i32 %a5, 5
  %d5 = mul i32 %c5, 7
  %f5 = xor i32 %d5, 9
  %b5 = add i32 %f5, 11
  store i32 %b5, ptr %e5
  %next5 = add nuw i64 %i5, 1
  %done5 = icmp eq i64 %next5, 240
  br i1 %done5, label %l6, label %l5

l6:
  %i6 = phi i64 [ 0, %l5 ], [ %next6, %l6 ]
  %e6 = getelementptr i32, ptr %array, i64 %i6
  %v6 = load i32, ptr %e6
  %a6 = mul i32 %v6, 3
  %c6 = xor i32 %a6, 5
  %d6 = mul i32 %c6, 7
  %f6 = xor i32 %d6, 9
  %b6 = add i32 %f6, 11
  store i32 %b6, ptr %e6
  %next6 = add nuw i64 %i6, 1
  %done6 = icmp eq i64 %next6, 240
  br i1 %done6, label %l7, label %l6

l7:
  %i7 = phi i64 [ 0, %l6 ], [ %next7, %l7 ]
  %e7 = getelementptr i32, ptr %array, i64 %i7
  %v7 = load i32, ptr %e7
  %a7 = mul i32 %v7, 3
  %c7 = xor i32 %a7, 5
  %d7 = mul i32 %c7, 7
  %f7 = xor i32 %d7, 9
  %b7 = add i32 %f7, 11
  store i32 %b7, ptr %e7
  %next7 = add nuw i64 %i7, 1
  %done7 = icmp eq i64 %next7, 240
  br i1 %done7, label %exit, label %l7

exit:
  ret void
}
