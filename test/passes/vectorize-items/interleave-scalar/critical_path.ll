; SPDX-License-Identifier: Apache-2.0
; SPDX-FileCopyrightText: The Quern authors
; Explicit vectors that fill registers, each operation of which waits for the one before.
; RUN: %quernc --passes="vectorize-items<scalar>" %s | FileCheck %s

; CHECK-LABEL: @hash(
; CHECK: and i64 %{{.*}}, -4
; CHECK-COUNT-4: load <16 x i32>
; CHECK-COUNT-96: mul <16 x i32>
; CHECK-COUNT-4: store <16 x i32>
define void @hash(ptr noalias %in, ptr noalias %out, i64 %count) {
entry:
  br label %items
items:
  %item = phi i64 [ 0, %entry ], [ %item.next, %items ]
  %p = getelementptr inbounds <16 x i32>, ptr %in, i64 %item
  %x = load <16 x i32>, ptr %p
  %m0 = mul <16 x i32> %x, %x
  %s0 = add <16 x i32> %m0, splat (i32 1)
  %m1 = mul <16 x i32> %s0, %x
  %s1 = add <16 x i32> %m1, splat (i32 2)
  %m2 = mul <16 x i32> %s1, %x
  %s2 = add <16 x i32> %m2, splat (i32 3)
  %m3 = mul <16 x i32> %s2, %x
  %s3 = add <16 x i32> %m3, splat (i32 4)
  %m4 = mul <16 x i32> %s3, %x
  %s4 = add <16 x i32> %m4, splat (i32 5)
  %m5 = mul <16 x i32> %s4, %x
  %s5 = add <16 x i32> %m5, splat (i32 6)
  %m6 = mul <16 x i32> %s5, %x
  %s6 = add <16 x i32> %m6, splat (i32 7)
  %m7 = mul <16 x i32> %s6, %x
  %s7 = add <16 x i32> %m7, splat (i32 8)
  %m8 = mul <16 x i32> %s7, %x
  %s8 = add <16 x i32> %m8, splat (i32 9)
  %m9 = mul <16 x i32> %s8, %x
  %s9 = add <16 x i32> %m9, splat (i32 10)
  %m10 = mul <16 x i32> %s9, %x
  %s10 = add <16 x i32> %m10, splat (i32 11)
  %m11 = mul <16 x i32> %s10, %x
  %s11 = add <16 x i32> %m11, splat (i32 12)
  %m12 = mul <16 x i32> %s11, %x
  %s12 = add <16 x i32> %m12, splat (i32 13)
  %m13 = mul <16 x i32> %s12, %x
  %s13 = add <16 x i32> %m13, splat (i32 14)
  %m14 = mul <16 x i32> %s13, %x
  %s14 = add <16 x i32> %m14, splat (i32 15)
  %m15 = mul <16 x i32> %s14, %x
  %s15 = add <16 x i32> %m15, splat (i32 16)
  %m16 = mul <16 x i32> %s15, %x
  %s16 = add <16 x i32> %m16, splat (i32 17)
  %m17 = mul <16 x i32> %s16, %x
  %s17 = add <16 x i32> %m17, splat (i32 18)
  %m18 = mul <16 x i32> %s17, %x
  %s18 = add <16 x i32> %m18, splat (i32 19)
  %m19 = mul <16 x i32> %s18, %x
  %s19 = add <16 x i32> %m19, splat (i32 20)
  %m20 = mul <16 x i32> %s19, %x
  %s20 = add <16 x i32> %m20, splat (i32 21)
  %m21 = mul <16 x i32> %s20, %x
  %s21 = add <16 x i32> %m21, splat (i32 22)
  %m22 = mul <16 x i32> %s21, %x
  %s22 = add <16 x i32> %m22, splat (i32 23)
  %m23 = mul <16 x i32> %s22, %x
  %s23 = add <16 x i32> %m23, splat (i32 24)
  %q = getelementptr inbounds <16 x i32>, ptr %out, i64 %item
  store <16 x i32> %s23, ptr %q
  %item.next = add nuw nsw i64 %item, 1
  %more = icmp ult i64 %item.next, %count
  br i1 %more, label %items, label %done, !llvm.loop !0
done:
  ret void
}

!0 = distinct !{!0, !1}
!1 = !{!"quern.item-loop"}
