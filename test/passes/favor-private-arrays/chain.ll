; SPDX-License-Identifier: Apache-2.0
; SPDX-FileCopyrightText: The Quern authors
; A trip count made of 60 divisions, each used twice: as many paths lead to the counter as 2^60. The loops are left.
; RUN: %quernc --passes='function(favor-private-arrays)' %s | FileCheck %s

; CHECK-LABEL: @chain(
; CHECK-NOT: !llvm.loop
; CHECK: ret void
define void @chain(ptr %out) {
entry:
  %values = alloca [16 x i32]
  br label %outer
outer:
  %i = phi i32 [ 1, %entry ], [ %i.next, %latch ]
  %x0 = mul i32 %i, 17
  %d0 = udiv i32 %x0, 3
  %x1 = xor i32 %x0, %d0
  %d1 = udiv i32 %x1, 3
  %x2 = xor i32 %x1, %d1
  %d2 = udiv i32 %x2, 3
  %x3 = xor i32 %x2, %d2
  %d3 = udiv i32 %x3, 3
  %x4 = xor i32 %x3, %d3
  %d4 = udiv i32 %x4, 3
  %x5 = xor i32 %x4, %d4
  %d5 = udiv i32 %x5, 3
  %x6 = xor i32 %x5, %d5
  %d6 = udiv i32 %x6, 3
  %x7 = xor i32 %x6, %d6
  %d7 = udiv i32 %x7, 3
  %x8 = xor i32 %x7, %d7
  %d8 = udiv i32 %x8, 3
  %x9 = xor i32 %x8, %d8
  %d9 = udiv i32 %x9, 3
  %x10 = xor i32 %x9, %d9
  %d10 = udiv i32 %x10, 3
  %x11 = xor i32 %x10, %d10
  %d11 = udiv i32 %x11, 3
  %x12 = xor i32 %x11, %d11
  %d12 = udiv i32 %x12, 3
  %x13 = xor i32 %x12, %d12
  %d13 = udiv i32 %x13, 3
  %x14 = xor i32 %x13, %d13
  %d14 = udiv i32 %x14, 3
  %x15 = xor i32 %x14, %d14
  %d15 = udiv i32 %x15, 3
  %x16 = xor i32 %x15, %d15
  %d16 = udiv i32 %x16, 3
  %x17 = xor i32 %x16, %d16
  %d17 = udiv i32 %x17, 3
  %x18 = xor i32 %x17, %d17
  %d18 = udiv i32 %x18, 3
  %x19 = xor i32 %x18, %d18
  %d19 = udiv i32 %x19, 3
  %x20 = xor i32 %x19, %d19
  %d20 = udiv i32 %x20, 3
  %x21 = xor i32 %x20, %d20
  %d21 = udiv i32 %x21, 3
  %x22 = xor i32 %x21, %d21
  %d22 = udiv i32 %x22, 3
  %x23 = xor i32 %x22, %d22
  %d23 = udiv i32 %x23, 3
  %x24 = xor i32 %x23, %d23
  %d24 = udiv i32 %x24, 3
  %x25 = xor i32 %x24, %d24
  %d25 = udiv i32 %x25, 3
  %x26 = xor i32 %x25, %d25
  %d26 = udiv i32 %x26, 3
  %x27 = xor i32 %x26, %d26
  %d27 = udiv i32 %x27, 3
  %x28 = xor i32 %x27, %d27
  %d28 = udiv i32 %x28, 3
  %x29 = xor i32 %x28, %d28
  %d29 = udiv i32 %x29, 3
  %x30 = xor i32 %x29, %d29
  %d30 = udiv i32 %x30, 3
  %x31 = xor i32 %x30, %d30
  %d31 = udiv i32 %x31, 3
  %x32 = xor i32 %x31, %d31
  %d32 = udiv i32 %x32, 3
  %x33 = xor i32 %x32, %d32
  %d33 = udiv i32 %x33, 3
  %x34 = xor i32 %x33, %d33
  %d34 = udiv i32 %x34, 3
  %x35 = xor i32 %x34, %d34
  %d35 = udiv i32 %x35, 3
  %x36 = xor i32 %x35, %d35
  %d36 = udiv i32 %x36, 3
  %x37 = xor i32 %x36, %d36
  %d37 = udiv i32 %x37, 3
  %x38 = xor i32 %x37, %d37
  %d38 = udiv i32 %x38, 3
  %x39 = xor i32 %x38, %d38
  %d39 = udiv i32 %x39, 3
  %x40 = xor i32 %x39, %d39
  %d40 = udiv i32 %x40, 3
  %x41 = xor i32 %x40, %d40
  %d41 = udiv i32 %x41, 3
  %x42 = xor i32 %x41, %d41
  %d42 = udiv i32 %x42, 3
  %x43 = xor i32 %x42, %d42
  %d43 = udiv i32 %x43, 3
  %x44 = xor i32 %x43, %d43
  %d44 = udiv i32 %x44, 3
  %x45 = xor i32 %x44, %d44
  %d45 = udiv i32 %x45, 3
  %x46 = xor i32 %x45, %d45
  %d46 = udiv i32 %x46, 3
  %x47 = xor i32 %x46, %d46
  %d47 = udiv i32 %x47, 3
  %x48 = xor i32 %x47, %d47
  %d48 = udiv i32 %x48, 3
  %x49 = xor i32 %x48, %d48
  %d49 = udiv i32 %x49, 3
  %x50 = xor i32 %x49, %d49
  %d50 = udiv i32 %x50, 3
  %x51 = xor i32 %x50, %d50
  %d51 = udiv i32 %x51, 3
  %x52 = xor i32 %x51, %d51
  %d52 = udiv i32 %x52, 3
  %x53 = xor i32 %x52, %d52
  %d53 = udiv i32 %x53, 3
  %x54 = xor i32 %x53, %d53
  %d54 = udiv i32 %x54, 3
  %x55 = xor i32 %x54, %d54
  %d55 = udiv i32 %x55, 3
  %x56 = xor i32 %x55, %d55
  %d56 = udiv i32 %x56, 3
  %x57 = xor i32 %x56, %d56
  %d57 = udiv i32 %x57, 3
  %x58 = xor i32 %x57, %d57
  %d58 = udiv i32 %x58, 3
  %x59 = xor i32 %x58, %d58
  %d59 = udiv i32 %x59, 3
  %x60 = xor i32 %x59, %d59
  %bound = and i32 %x60, 15
  br label %inner
inner:
  %j = phi i32 [ 0, %outer ], [ %j.next, %inner ]
  %p = getelementptr i32, ptr %values, i32 %j
  store i32 %i, ptr %p
  %j.next = add nuw nsw i32 %j, 1
  %j.more = icmp ult i32 %j.next, %bound
  br i1 %j.more, label %inner, label %latch
latch:
  %i.next = add nuw nsw i32 %i, 1
  %more = icmp ult i32 %i.next, 6
  br i1 %more, label %outer, label %done
done:
  %last = getelementptr i32, ptr %values, i32 4
  %result = load i32, ptr %last
  store i32 %result, ptr %out
  ret void
}
