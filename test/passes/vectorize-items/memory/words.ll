; SPDX-License-Identifier: Apache-2.0
; SPDX-FileCopyrightText: The Quern authors
; Bytes of four components that are converted are shifted out of words, and into them. A component that is out of
; range of its type, and poison, leaves the others as they are.
; RUN: env QUERN_CPU=znver3 %quernc --passes="vectorize-items<width=8>" %s | FileCheck %s

; CHECK-LABEL: @convert(
; CHECK: %[[LOADED:.*]] = load <32 x i8>
; CHECK: %[[FROZEN:.*]] = freeze <32 x i8> %[[LOADED]]
; CHECK: %[[WORDS:.*]] = bitcast <32 x i8> %[[FROZEN]] to <8 x i32>
; CHECK: trunc <8 x i32> %[[WORDS]] to <8 x i8>
; CHECK: lshr <8 x i32> %{{[0-9]+}}, splat (i32 8)
; CHECK: lshr <8 x i32> %{{[0-9]+}}, splat (i32 16)
; CHECK: lshr <8 x i32> %{{[0-9]+}}, splat (i32 24)
; CHECK: fptosi <8 x float> %{{.*}} to <8 x i32>
; CHECK: freeze <8 x i32>
; CHECK: shl <8 x i32> %{{.*}}, splat (i32 8)
; CHECK: or <8 x i32>
; CHECK: shl <8 x i32> %{{.*}}, splat (i32 16)
; CHECK: shl <8 x i32> %{{.*}}, splat (i32 24)
; CHECK: store <32 x i8>
; CHECK: ret void
define void @convert(ptr noalias %in, ptr noalias %out, i64 %count) {
entry:
  br label %items
items:
  %item = phi i64 [ 0, %entry ], [ %item.next, %items ]
  %p = getelementptr inbounds <4 x i8>, ptr %in, i64 %item
  %v = load <4 x i8>, ptr %p, align 4
  %v.0 = extractelement <4 x i8> %v, i64 0
  %v.1 = extractelement <4 x i8> %v, i64 1
  %v.2 = extractelement <4 x i8> %v, i64 2
  %v.3 = extractelement <4 x i8> %v, i64 3
  %f.0 = uitofp i8 %v.0 to float
  %f.1 = uitofp i8 %v.1 to float
  %f.2 = uitofp i8 %v.2 to float
  %f.3 = uitofp i8 %v.3 to float
  %g.0 = fmul float %f.0, %f.1
  %g.1 = fmul float %f.1, %f.2
  %g.2 = fmul float %f.2, %f.3
  %g.3 = fmul float %f.3, %f.0
  %c.0 = fptoui float %g.0 to i8
  %c.1 = fptoui float %g.1 to i8
  %c.2 = fptoui float %g.2 to i8
  %c.3 = fptoui float %g.3 to i8
  %w.0 = insertelement <4 x i8> poison, i8 %c.0, i64 0
  %w.1 = insertelement <4 x i8> %w.0, i8 %c.1, i64 1
  %w.2 = insertelement <4 x i8> %w.1, i8 %c.2, i64 2
  %w.3 = insertelement <4 x i8> %w.2, i8 %c.3, i64 3
  %q = getelementptr inbounds <4 x i8>, ptr %out, i64 %item
  store <4 x i8> %w.3, ptr %q, align 4
  %item.next = add nuw nsw i64 %item, 1
  %more = icmp ult i64 %item.next, %count
  br i1 %more, label %items, label %done, !llvm.loop !0
done:
  ret void
}

; Bytes that stay bytes are shuffled.
; CHECK-LABEL: @bytes(
; CHECK-NOT: lshr
; CHECK-NOT: shl <8 x i32>
; CHECK: shufflevector <16 x i8> {{.*}} <i32 0, i32 2, i32 4, i32 6, i32 8, i32 10, i32 12, i32 14>
; CHECK-NOT: lshr
; CHECK: ret void
define void @bytes(ptr noalias %in, ptr noalias %out, i64 %count) {
entry:
  br label %items
items:
  %item = phi i64 [ 0, %entry ], [ %item.next, %items ]
  %two = shl nuw nsw i64 %item, 1
  %p.0 = getelementptr inbounds i8, ptr %in, i64 %two
  %p.1 = getelementptr inbounds i8, ptr %p.0, i64 1
  %b.0 = load i8, ptr %p.0
  %b.1 = load i8, ptr %p.1
  %x = mul i8 %b.0, %b.1
  %y = xor i8 %b.0, %b.1
  %q.0 = getelementptr inbounds i8, ptr %out, i64 %two
  %q.1 = getelementptr inbounds i8, ptr %q.0, i64 1
  store i8 %x, ptr %q.0
  store i8 %y, ptr %q.1
  %item.next = add nuw nsw i64 %item, 1
  %more = icmp ult i64 %item.next, %count
  br i1 %more, label %items, label %done, !llvm.loop !0
done:
  ret void
}

!0 = distinct !{!0, !1}
!1 = !{!"quern.item-loop"}
