; SPDX-License-Identifier: Apache-2.0
; SPDX-FileCopyrightText: The Quern authors
; In a loop over a row for each lane the scalar index moves to the base. The 32-bit indices of the lanes stay the same.
; RUN: %quernc --passes=narrow-gather-indices %s | FileCheck %s

; CHECK-LABEL: @row(
; CHECK: loop:
; CHECK: %[[BASE:.*]] = getelementptr float, ptr %matrix, i64 %k
; CHECK-NEXT: %[[ADDRESS:.*]] = getelementptr float, ptr %[[BASE]], <16 x i32> %first
; CHECK-NEXT: call <16 x float> @llvm.masked.gather.v16f32.v16p0(<16 x ptr> align 4 %[[ADDRESS]]
define <16 x float> @row(ptr %matrix, <16 x i32> %first, <16 x i1> %on, i64 %n) {
entry:
  %wide = sext <16 x i32> %first to <16 x i64>
  %rows = getelementptr float, ptr %matrix, <16 x i64> %wide
  br label %loop
loop:
  %k = phi i64 [ 0, %entry ], [ %k.next, %loop ]
  %sum = phi <16 x float> [ zeroinitializer, %entry ], [ %sum.next, %loop ]
  %p = getelementptr float, <16 x ptr> %rows, i64 %k
  %v = call <16 x float> @llvm.masked.gather.v16f32.v16p0(<16 x ptr> align 4 %p, <16 x i1> %on, <16 x float> poison)
  %sum.next = fadd <16 x float> %sum, %v
  %k.next = add nuw i64 %k, 1
  %more = icmp ult i64 %k.next, %n
  br i1 %more, label %loop, label %done
done:
  ret <16 x float> %sum.next
}

; Indices of 64 bits stay in the addresses, and so do those that count other elements than the scalar.
; CHECK-LABEL: @wide(
; CHECK: getelementptr float, <16 x ptr> %rows, i64 %k
define <16 x float> @wide(ptr %matrix, <16 x i64> %first, <16 x i1> %on, i64 %k) {
  %rows = getelementptr float, ptr %matrix, <16 x i64> %first
  %p = getelementptr float, <16 x ptr> %rows, i64 %k
  %v = call <16 x float> @llvm.masked.gather.v16f32.v16p0(<16 x ptr> align 4 %p, <16 x i1> %on, <16 x float> poison)
  ret <16 x float> %v
}

; CHECK-LABEL: @bytes(
; CHECK: getelementptr float, <16 x ptr> %rows, i64 %k
define <16 x float> @bytes(ptr %matrix, <16 x i32> %first, <16 x i1> %on, i64 %k) {
  %wide = sext <16 x i32> %first to <16 x i64>
  %rows = getelementptr i8, ptr %matrix, <16 x i64> %wide
  %p = getelementptr float, <16 x ptr> %rows, i64 %k
  %v = call <16 x float> @llvm.masked.gather.v16f32.v16p0(<16 x ptr> align 4 %p, <16 x i1> %on, <16 x float> poison)
  ret <16 x float> %v
}
