; SPDX-License-Identifier: Apache-2.0
; SPDX-FileCopyrightText: The Quern authors
; Vectors are interleaved around a block that hardly any work-item runs, not around one that many run.
; RUN: %quernc --passes="print<recurrence-latency>" %s 2>&1 >/dev/null | FileCheck %s

; CHECK-LABEL: Recurrence latency of 'rare':
; CHECK: interleave count 4
; CHECK-LABEL: Recurrence latency of 'frequent':
; CHECK: interleave count 1
define void @rare(ptr noalias %out, i64 %count) {
entry:
  br label %items
items:
  %item = phi i64 [ 0, %entry ], [ %item.next, %next ]
  %word = trunc i64 %item to i32
  %x = uitofp i32 %word to float
  %s0 = call float @llvm.fma.f32(float %x, float %x, float 1.0)
  %s1 = call float @llvm.fma.f32(float %s0, float %x, float 2.0)
  %s2 = call float @llvm.fma.f32(float %s1, float %x, float 3.0)
  %s3 = call float @llvm.fma.f32(float %s2, float %x, float 4.0)
  %s4 = call float @llvm.fma.f32(float %s3, float %x, float 5.0)
  %s5 = call float @llvm.fma.f32(float %s4, float %x, float 6.0)
  %s6 = call float @llvm.fma.f32(float %s5, float %x, float 7.0)
  %s7 = call float @llvm.fma.f32(float %s6, float %x, float 8.0)
  %s8 = call float @llvm.fma.f32(float %s7, float %x, float 9.0)
  %s9 = call float @llvm.fma.f32(float %s8, float %x, float 10.0)
  %s10 = call float @llvm.fma.f32(float %s9, float %x, float 11.0)
  %s11 = call float @llvm.fma.f32(float %s10, float %x, float 12.0)
  %s12 = call float @llvm.fma.f32(float %s11, float %x, float 13.0)
  %s13 = call float @llvm.fma.f32(float %s12, float %x, float 14.0)
  %s14 = call float @llvm.fma.f32(float %s13, float %x, float 15.0)
  %s15 = call float @llvm.fma.f32(float %s14, float %x, float 16.0)
  %s16 = call float @llvm.fma.f32(float %s15, float %x, float 17.0)
  %s17 = call float @llvm.fma.f32(float %s16, float %x, float 18.0)
  %s18 = call float @llvm.fma.f32(float %s17, float %x, float 19.0)
  %s19 = call float @llvm.fma.f32(float %s18, float %x, float 20.0)
  %s20 = call float @llvm.fma.f32(float %s19, float %x, float 21.0)
  %s21 = call float @llvm.fma.f32(float %s20, float %x, float 22.0)
  %s22 = call float @llvm.fma.f32(float %s21, float %x, float 23.0)
  %s23 = call float @llvm.fma.f32(float %s22, float %x, float 24.0)
  %s24 = call float @llvm.fma.f32(float %s23, float %x, float 25.0)
  %s25 = call float @llvm.fma.f32(float %s24, float %x, float 26.0)
  %s26 = call float @llvm.fma.f32(float %s25, float %x, float 27.0)
  %s27 = call float @llvm.fma.f32(float %s26, float %x, float 28.0)
  %s28 = call float @llvm.fma.f32(float %s27, float %x, float 29.0)
  %s29 = call float @llvm.fma.f32(float %s28, float %x, float 30.0)
  %s30 = call float @llvm.fma.f32(float %s29, float %x, float 31.0)
  %s31 = call float @llvm.fma.f32(float %s30, float %x, float 32.0)
  %s32 = call float @llvm.fma.f32(float %s31, float %x, float 33.0)
  %s33 = call float @llvm.fma.f32(float %s32, float %x, float 34.0)
  %s34 = call float @llvm.fma.f32(float %s33, float %x, float 35.0)
  %s35 = call float @llvm.fma.f32(float %s34, float %x, float 36.0)
  %s36 = call float @llvm.fma.f32(float %s35, float %x, float 37.0)
  %s37 = call float @llvm.fma.f32(float %s36, float %x, float 38.0)
  %s38 = call float @llvm.fma.f32(float %s37, float %x, float 39.0)
  %s39 = call float @llvm.fma.f32(float %s38, float %x, float 40.0)
  %big = fcmp ogt float %s39, 1073741824.0
  br i1 %big, label %then, label %next, !prof !2
then:
  %limited = fmul float %s39, 0.5
  br label %next
next:
  %r = phi float [ %s39, %items ], [ %limited, %then ]
  %q = getelementptr inbounds float, ptr %out, i64 %item
  store float %r, ptr %q
  %item.next = add nuw nsw i64 %item, 1
  %more = icmp ult i64 %item.next, %count
  br i1 %more, label %items, label %done, !llvm.loop !0
done:
  ret void
}

define void @frequent(ptr noalias %out, i64 %count) {
entry:
  br label %items
items:
  %item = phi i64 [ 0, %entry ], [ %item.next, %next ]
  %word = trunc i64 %item to i32
  %x = uitofp i32 %word to float
  %s0 = call float @llvm.fma.f32(float %x, float %x, float 1.0)
  %s1 = call float @llvm.fma.f32(float %s0, float %x, float 2.0)
  %s2 = call float @llvm.fma.f32(float %s1, float %x, float 3.0)
  %s3 = call float @llvm.fma.f32(float %s2, float %x, float 4.0)
  %s4 = call float @llvm.fma.f32(float %s3, float %x, float 5.0)
  %s5 = call float @llvm.fma.f32(float %s4, float %x, float 6.0)
  %s6 = call float @llvm.fma.f32(float %s5, float %x, float 7.0)
  %s7 = call float @llvm.fma.f32(float %s6, float %x, float 8.0)
  %s8 = call float @llvm.fma.f32(float %s7, float %x, float 9.0)
  %s9 = call float @llvm.fma.f32(float %s8, float %x, float 10.0)
  %s10 = call float @llvm.fma.f32(float %s9, float %x, float 11.0)
  %s11 = call float @llvm.fma.f32(float %s10, float %x, float 12.0)
  %s12 = call float @llvm.fma.f32(float %s11, float %x, float 13.0)
  %s13 = call float @llvm.fma.f32(float %s12, float %x, float 14.0)
  %s14 = call float @llvm.fma.f32(float %s13, float %x, float 15.0)
  %s15 = call float @llvm.fma.f32(float %s14, float %x, float 16.0)
  %s16 = call float @llvm.fma.f32(float %s15, float %x, float 17.0)
  %s17 = call float @llvm.fma.f32(float %s16, float %x, float 18.0)
  %s18 = call float @llvm.fma.f32(float %s17, float %x, float 19.0)
  %s19 = call float @llvm.fma.f32(float %s18, float %x, float 20.0)
  %s20 = call float @llvm.fma.f32(float %s19, float %x, float 21.0)
  %s21 = call float @llvm.fma.f32(float %s20, float %x, float 22.0)
  %s22 = call float @llvm.fma.f32(float %s21, float %x, float 23.0)
  %s23 = call float @llvm.fma.f32(float %s22, float %x, float 24.0)
  %s24 = call float @llvm.fma.f32(float %s23, float %x, float 25.0)
  %s25 = call float @llvm.fma.f32(float %s24, float %x, float 26.0)
  %s26 = call float @llvm.fma.f32(float %s25, float %x, float 27.0)
  %s27 = call float @llvm.fma.f32(float %s26, float %x, float 28.0)
  %s28 = call float @llvm.fma.f32(float %s27, float %x, float 29.0)
  %s29 = call float @llvm.fma.f32(float %s28, float %x, float 30.0)
  %s30 = call float @llvm.fma.f32(float %s29, float %x, float 31.0)
  %s31 = call float @llvm.fma.f32(float %s30, float %x, float 32.0)
  %s32 = call float @llvm.fma.f32(float %s31, float %x, float 33.0)
  %s33 = call float @llvm.fma.f32(float %s32, float %x, float 34.0)
  %s34 = call float @llvm.fma.f32(float %s33, float %x, float 35.0)
  %s35 = call float @llvm.fma.f32(float %s34, float %x, float 36.0)
  %s36 = call float @llvm.fma.f32(float %s35, float %x, float 37.0)
  %s37 = call float @llvm.fma.f32(float %s36, float %x, float 38.0)
  %s38 = call float @llvm.fma.f32(float %s37, float %x, float 39.0)
  %s39 = call float @llvm.fma.f32(float %s38, float %x, float 40.0)
  %big = fcmp ogt float %s39, 1073741824.0
  br i1 %big, label %then, label %next
then:
  %limited = fmul float %s39, 0.5
  br label %next
next:
  %r = phi float [ %s39, %items ], [ %limited, %then ]
  %q = getelementptr inbounds float, ptr %out, i64 %item
  store float %r, ptr %q
  %item.next = add nuw nsw i64 %item, 1
  %more = icmp ult i64 %item.next, %count
  br i1 %more, label %items, label %done, !llvm.loop !0
done:
  ret void
}

declare float @llvm.fma.f32(float, float, float)

!0 = distinct !{!0, !1}
!1 = !{!"quern.item-loop"}
!2 = !{!"branch_weights", !"expected", i32 1, i32 2000}
