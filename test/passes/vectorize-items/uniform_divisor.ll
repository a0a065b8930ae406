; SPDX-License-Identifier: Apache-2.0
; SPDX-FileCopyrightText: The Quern authors
; All lanes divide by one number: a product with its inverse, which is made once. Twice an estimate for 64 bits.
; RUN: %quernc --passes=vectorize-items %s | FileCheck %s
; RUN: env QUERN_CPU=haswell %quernc --passes="vectorize-items<width=4>" %s | FileCheck %s --check-prefix=HASWELL

; CHECK-LABEL: @divide(
; CHECK: fdiv double 1.000000e+00,
; CHECK: add i64 %{{.*}}, 1
; CHECK: sitofp <[[N:[0-9]+]] x i32> %{{.*}} to <[[N]] x double>
; CHECK: fmul <[[N]] x double>
; CHECK: fptosi <[[N]] x double> %{{.*}} to <[[N]] x i32>
; CHECK-NOT: fdiv <
define void @divide(ptr noalias %in, ptr noalias %out, i32 %by, i64 %count) {
entry:
  %safe = call i32 @llvm.umax.i32(i32 %by, i32 2)
  br label %items
items:
  %item = phi i64 [ 0, %entry ], [ %item.next, %items ]
  %p = getelementptr inbounds i32, ptr %in, i64 %item
  %x = load i32, ptr %p
  %y = sdiv i32 %x, %safe
  %q = getelementptr inbounds i32, ptr %out, i64 %item
  store i32 %y, ptr %q
  %item.next = add nuw nsw i64 %item, 1
  %more = icmp ult i64 %item.next, %count
  br i1 %more, label %items, label %done, !llvm.loop !0
done:
  ret void
}

; CHECK-LABEL: @divide_longs(
; CHECK: fdiv double 0x3FEFFFFFFFFFFFF8,
; CHECK-COUNT-2: fptoui <[[L:[0-9]+]] x double>
; CHECK: icmp uge <{{[0-9]+}} x i64>
; CHECK-NOT: udiv <
; HASWELL-LABEL: @divide_longs(
; HASWELL: udiv <{{[0-9]+}} x i64>
define void @divide_longs(ptr noalias %in, ptr noalias %out, i64 %by, i64 %count) {
entry:
  %safe = call i64 @llvm.umax.i64(i64 %by, i64 1)
  br label %items
items:
  %item = phi i64 [ 0, %entry ], [ %item.next, %items ]
  %p = getelementptr inbounds i64, ptr %in, i64 %item
  %x = load i64, ptr %p
  %x2 = mul i64 %x, %x
  %x3 = xor i64 %x2, %x
  %y = udiv i64 %x3, %safe
  %y2 = mul i64 %y, %x
  %y3 = add i64 %y2, %x3
  %q = getelementptr inbounds i64, ptr %out, i64 %item
  store i64 %y3, ptr %q
  %item.next = add nuw nsw i64 %item, 1
  %more = icmp ult i64 %item.next, %count
  br i1 %more, label %items, label %done, !llvm.loop !0
done:
  ret void
}

declare i32 @llvm.umax.i32(i32, i32)
declare i64 @llvm.umax.i64(i64, i64)

!0 = distinct !{!0, !1}
!1 = !{!"quern.item-loop"}
