; SPDX-License-Identifier: Apache-2.0
; SPDX-FileCopyrightText: The Quern authors
; What is loaded from one address in each iteration, and 32 products, each of which uses the one before twice: LLVM 22's
; LoopVectorize asks 2^32 times whether they are uniform. The loop stays as it is; one with few products has vectors.
; RUN: timeout 60 %quernc --passes=vectorize-loops %s | FileCheck %s

; CHECK-LABEL: @many(
; CHECK-NOT: <{{[0-9]+}} x i32>
; CHECK: ret void
define void @many(ptr %p, ptr %out, i64 %n) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %x = load i32, ptr %p
  %s0 = add i32 %x, 1
  %m0 = mul i32 %s0, %x
  %s1 = add i32 %m0, 2
  %m1 = mul i32 %s1, %m0
  %s2 = add i32 %m1, 3
  %m2 = mul i32 %s2, %m1
  %s3 = add i32 %m2, 4
  %m3 = mul i32 %s3, %m2
  %s4 = add i32 %m3, 5
  %m4 = mul i32 %s4, %m3
  %s5 = add i32 %m4, 6
  %m5 = mul i32 %s5, %m4
  %s6 = add i32 %m5, 7
  %m6 = mul i32 %s6, %m5
  %s7 = add i32 %m6, 8
  %m7 = mul i32 %s7, %m6
  %s8 = add i32 %m7, 9
  %m8 = mul i32 %s8, %m7
  %s9 = add i32 %m8, 10
  %m9 = mul i32 %s9, %m8
  %s10 = add i32 %m9, 11
  %m10 = mul i32 %s10, %m9
  %s11 = add i32 %m10, 12
  %m11 = mul i32 %s11, %m10
  %s12 = add i32 %m11, 13
  %m12 = mul i32 %s12, %m11
  %s13 = add i32 %m12, 14
  %m13 = mul i32 %s13, %m12
  %s14 = add i32 %m13, 15
  %m14 = mul i32 %s14, %m13
  %s15 = add i32 %m14, 16
  %m15 = mul i32 %s15, %m14
  %s16 = add i32 %m15, 17
  %m16 = mul i32 %s16, %m15
  %s17 = add i32 %m16, 18
  %m17 = mul i32 %s17, %m16
  %s18 = add i32 %m17, 19
  %m18 = mul i32 %s18, %m17
  %s19 = add i32 %m18, 20
  %m19 = mul i32 %s19, %m18
  %s20 = add i32 %m19, 21
  %m20 = mul i32 %s20, %m19
  %s21 = add i32 %m20, 22
  %m21 = mul i32 %s21, %m20
  %s22 = add i32 %m21, 23
  %m22 = mul i32 %s22, %m21
  %s23 = add i32 %m22, 24
  %m23 = mul i32 %s23, %m22
  %s24 = add i32 %m23, 25
  %m24 = mul i32 %s24, %m23
  %s25 = add i32 %m24, 26
  %m25 = mul i32 %s25, %m24
  %s26 = add i32 %m25, 27
  %m26 = mul i32 %s26, %m25
  %s27 = add i32 %m26, 28
  %m27 = mul i32 %s27, %m26
  %s28 = add i32 %m27, 29
  %m28 = mul i32 %s28, %m27
  %s29 = add i32 %m28, 30
  %m29 = mul i32 %s29, %m28
  %s30 = add i32 %m29, 31
  %m30 = mul i32 %s30, %m29
  %s31 = add i32 %m30, 32
  %m31 = mul i32 %s31, %m30
  %sum = add i32 %m31, 1
  %q = getelementptr inbounds i32, ptr %out, i64 %i
  store i32 %sum, ptr %q
  %next = add nuw nsw i64 %i, 1
  %more = icmp ult i64 %next, %n
  br i1 %more, label %loop, label %done
done:
  ret void
}

; CHECK-LABEL: @few(
; CHECK: store <{{[0-9]+}} x i32>
define void @few(ptr %p, ptr %out, i64 %n) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %x = load i32, ptr %p
  %s = add i32 %x, 1
  %m = mul i32 %s, %x
  %q = getelementptr inbounds i32, ptr %out, i64 %i
  store i32 %m, ptr %q
  %next = add nuw nsw i64 %i, 1
  %more = icmp ult i64 %next, %n
  br i1 %more, label %loop, label %done
done:
  ret void
}
