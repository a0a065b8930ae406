; SPDX-License-Identifier: Apache-2.0
; SPDX-FileCopyrightText: The Quern authors
; Most values are bytes, though a work-item loads and stores 32 bits: as many lanes as a register has bytes. Where
; values of 32 bits are more, it is as many as it has of those.
; RUN: %quernc --passes=vectorize-items %s | FileCheck %s

; CHECK-DAG: attributes {{.*}}"quern-plans"="VF=32, {{.*}}
; CHECK-DAG: attributes {{.*}}"quern-plans"="VF=8, {{.*}}
define void @bytes(ptr noalias %in, ptr noalias %out, i8 %key, i32 %wide.key, i64 %count) {
entry:
  br label %items
items:
  %item = phi i64 [ 0, %entry ], [ %item.next, %items ]
  %p = getelementptr inbounds i32, ptr %in, i64 %item
  %q = getelementptr inbounds i32, ptr %out, i64 %item
  %x = load i32, ptr %p, align 4
  %b0 = trunc i32 %x to i8
  %b1 = xor i8 %b0, %key
  %b2 = mul i8 %b1, %b0
  %b3 = sub i8 %b2, %key
  %b4 = add i8 %b3, %key
  %b5 = xor i8 %b4, %key
  %b6 = mul i8 %b5, %b0
  %b7 = sub i8 %b6, %key
  %b8 = add i8 %b7, %key
  %b9 = xor i8 %b8, %key
  %b10 = mul i8 %b9, %b0
  %b11 = sub i8 %b10, %key
  %b12 = add i8 %b11, %key
  %b13 = xor i8 %b12, %key
  %b14 = mul i8 %b13, %b0
  %b15 = sub i8 %b14, %key
  %b16 = add i8 %b15, %key
  %b17 = xor i8 %b16, %key
  %b18 = mul i8 %b17, %b0
  %b19 = sub i8 %b18, %key
  %b20 = add i8 %b19, %key
  %b21 = xor i8 %b20, %key
  %b22 = mul i8 %b21, %b0
  %b23 = sub i8 %b22, %key
  %b24 = add i8 %b23, %key
  %r = zext i8 %b24 to i32
  store i32 %r, ptr %q, align 4
  %item.next = add nuw nsw i64 %item, 1
  %more = icmp ult i64 %item.next, %count
  br i1 %more, label %items, label %done, !llvm.loop !0
done:
  ret void
}

define void @mixed(ptr noalias %in, ptr noalias %out, i8 %key, i32 %wide.key, i64 %count) {
entry:
  br label %items
items:
  %item = phi i64 [ 0, %entry ], [ %item.next, %items ]
  %p = getelementptr inbounds i32, ptr %in, i64 %item
  %q = getelementptr inbounds i32, ptr %out, i64 %item
  %x = load i32, ptr %p, align 4
  %b0 = trunc i32 %x to i8
  %b1 = xor i8 %b0, %key
  %b2 = mul i8 %b1, %b0
  %b3 = sub i8 %b2, %key
  %b4 = add i8 %b3, %key
  %b5 = xor i8 %b4, %key
  %b6 = mul i8 %b5, %b0
  %b7 = sub i8 %b6, %key
  %b8 = add i8 %b7, %key
  %b9 = xor i8 %b8, %key
  %b10 = mul i8 %b9, %b0
  %b11 = sub i8 %b10, %key
  %b12 = add i8 %b11, %key
  %r = zext i8 %b12 to i32
  %w1 = xor i32 %x, %wide.key
  %w2 = mul i32 %w1, %wide.key
  %w3 = xor i32 %w2, %wide.key
  %w4 = mul i32 %w3, %wide.key
  %w5 = xor i32 %w4, %wide.key
  %w6 = mul i32 %w5, %wide.key
  %w7 = xor i32 %w6, %wide.key
  %w8 = mul i32 %w7, %wide.key
  %w9 = xor i32 %w8, %wide.key
  %w10 = mul i32 %w9, %wide.key
  %w11 = xor i32 %w10, %wide.key
  %w12 = mul i32 %w11, %wide.key
  %s = add i32 %w12, %r
  store i32 %s, ptr %q, align 4
  %item.next = add nuw nsw i64 %item, 1
  %more = icmp ult i64 %item.next, %count
  br i1 %more, label %items, label %done, !llvm.loop !0
done:
  ret void
}

!0 = distinct !{!0, !1}
!1 = !{!"quern.item-loop"}
