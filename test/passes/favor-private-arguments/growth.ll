; SPDX-License-Identifier: Apache-2.0
; SPDX-FileCopyrightText: The Quern authors
; A function stays a call where all of its calls together would make the code longer by 10,000 instructions. What counts
; is its code when it is simplified: this loop is unrolled.
; RUN: %quernc --passes=optimize-scalar %s | FileCheck %s

define internal void @called_twice(ptr %values) {
entry:
  br label %loop

loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %element = getelementptr i32, ptr %values, i64 %i
  %old = load i32, ptr %element
  %square = mul i32 %old, %old
  %low = xor i32 %square, 85
  %high = lshr i32 %low, 3
  %new = mul i32 %high, %old
  store i32 %new, ptr %element
  %next = add i64 %i, 1
  %more = icmp ult i64 %next, 64
  br i1 %more, label %loop, label %done, !llvm.loop !0

done:
  ret void
}

define internal void @called_often(ptr %values) {
entry:
  br label %loop

loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %element = getelementptr i32, ptr %values, i64 %i
  %old = load i32, ptr %element
  %square = mul i32 %old, %old
  %low = xor i32 %square, 85
  %high = lshr i32 %low, 3
  %new = mul i32 %high, %old
  store i32 %new, ptr %element
  %next = add i64 %i, 1
  %more = icmp ult i64 %next, 64
  br i1 %more, label %loop, label %done, !llvm.loop !0

done:
  ret void
}

; CHECK-LABEL: @two(
; CHECK-NOT: call {{.*}} @called_twice
; CHECK: ret void
define void @two(ptr addrspace(1) %memory) {
  %values = alloca [64 x i32]
  call void @llvm.memcpy.p0.p1.i64(ptr %values, ptr addrspace(1) %memory, i64 256, i1 false)
  call void @called_twice(ptr %values)
  call void @called_twice(ptr %values)
  call void @llvm.memcpy.p1.p0.i64(ptr addrspace(1) %memory, ptr %values, i64 256, i1 false)
  ret void
}

; CHECK-LABEL: @many(
; CHECK-COUNT-30: call {{.*}} @called_often
define void @many(ptr addrspace(1) %memory) {
  %values = alloca [64 x i32]
  call void @llvm.memcpy.p0.p1.i64(ptr %values, ptr addrspace(1) %memory, i64 256, i1 false)
  call void @called_often(ptr %values)
  call void @called_often(ptr %values)
  call void @called_often(ptr %values)
  call void @called_often(ptr %values)
  call void @called_often(ptr %values)
  call void @called_often(ptr %values)
  call void @called_often(ptr %values)
  call void @called_often(ptr %values)
  call void @called_often(ptr %values)
  call void @called_often(ptr %values)
  call void @called_often(ptr %values)
  call void @called_often(ptr %values)
  call void @called_often(ptr %values)
  call void @called_often(ptr %values)
  call void @called_often(ptr %values)
  call void @called_often(ptr %values)
  call void @called_often(ptr %values)
  call void @called_often(ptr %values)
  call void @called_often(ptr %values)
  call void @called_often(ptr %values)
  call void @called_often(ptr %values)
  call void @called_often(ptr %values)
  call void @called_often(ptr %values)
  call void @called_often(ptr %values)
  call void @called_often(ptr %values)
  call void @called_often(ptr %values)
  call void @called_often(ptr %values)
  call void @called_often(ptr %values)
  call void @called_often(ptr %values)
  call void @called_often(ptr %values)
  call void @llvm.memcpy.p1.p0.i64(ptr addrspace(1) %memory, ptr %values, i64 256, i1 false)
  ret void
}

declare void @llvm.memcpy.p0.p1.i64(ptr, ptr addrspace(1), i64, i1)
declare void @llvm.memcpy.p1.p0.i64(ptr addrspace(1), ptr, i64, i1)

!0 = distinct !{!0, !1}
!1 = !{!"llvm.loop.unroll.full"}
