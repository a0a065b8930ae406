; SPDX-License-Identifier: Apache-2.0
; SPDX-FileCopyrightText: The Quern authors
; Members may be vectors of several elements. A vector with all elements of its stride, or one that overlaps another
; member, is none; an integer and a float of one size may be in one group.
; RUN: %quernc --passes="print<access-groups>" %s 2>&1 >/dev/null | FileCheck %s

; CHECK-LABEL: Access groups of 'three':
; CHECK-NEXT: interleaved group, step 3, made at %pair = load <2 x float>, ptr %p
; CHECK-NEXT: elements 0 to 1: %pair = load
; CHECK-NEXT: element 2: %z = load
; CHECK-NEXT: interleaved group, step 3, made at store float %high, ptr %q.z
; CHECK-NEXT: elements 0 to 1: store <2 x float> %low
; CHECK-NEXT: element 2: store float %high
define void @three(ptr noalias %in, ptr noalias %out, i64 %count) {
entry:
  br label %items
items:
  %item = phi i64 [ 0, %entry ], [ %item.next, %items ]
  %offset = mul nuw nsw i64 %item, 12
  %p = getelementptr inbounds i8, ptr %in, i64 %offset
  %pair = load <2 x float>, ptr %p, align 4
  %p.z = getelementptr inbounds i8, ptr %p, i64 8
  %z = load float, ptr %p.z, align 4
  %wide = shufflevector <2 x float> %pair, <2 x float> poison, <3 x i32> <i32 0, i32 1, i32 poison>
  %three = insertelement <3 x float> %wide, float %z, i64 2
  %sum = fadd <3 x float> %three, splat (float 3.0)
  %q = getelementptr inbounds i8, ptr %out, i64 %offset
  %low = shufflevector <3 x float> %sum, <3 x float> poison, <2 x i32> <i32 0, i32 1>
  store <2 x float> %low, ptr %q, align 4
  %q.z = getelementptr inbounds i8, ptr %q, i64 8
  %high = extractelement <3 x float> %sum, i64 2
  store float %high, ptr %q.z, align 4
  %item.next = add nuw nsw i64 %item, 1
  %more = icmp ult i64 %item.next, %count
  br i1 %more, label %items, label %done, !llvm.loop !0
done:
  ret void
}

; CHECK-LABEL: Access groups of 'whole':
; CHECK-NEXT: no groups
define void @whole(ptr noalias %in, ptr noalias %out, i64 %count) {
entry:
  br label %items
items:
  %item = phi i64 [ 0, %entry ], [ %item.next, %items ]
  %offset = shl nuw nsw i64 %item, 4
  %p = getelementptr inbounds i8, ptr %in, i64 %offset
  %x = load <4 x float>, ptr %p, align 4
  %p.z = getelementptr inbounds i8, ptr %p, i64 8
  %z = load <2 x float>, ptr %p.z, align 4
  %q = getelementptr inbounds i8, ptr %out, i64 %offset
  store <4 x float> %x, ptr %q, align 4
  %q.z = getelementptr inbounds <2 x float>, ptr %in, i64 %item
  store <2 x float> %z, ptr %q.z, align 4
  %item.next = add nuw nsw i64 %item, 1
  %more = icmp ult i64 %item.next, %count
  br i1 %more, label %items, label %done, !llvm.loop !0
done:
  ret void
}

; CHECK-LABEL: Access groups of 'overlapping':
; CHECK-NEXT: no groups
define void @overlapping(ptr noalias %in, ptr noalias %out, i64 %count) {
entry:
  br label %items
items:
  %item = phi i64 [ 0, %entry ], [ %item.next, %items ]
  %offset = shl nuw nsw i64 %item, 4
  %p = getelementptr inbounds i8, ptr %in, i64 %offset
  %x = load <2 x float>, ptr %p, align 4
  %p.y = getelementptr inbounds i8, ptr %p, i64 4
  %y = load <2 x float>, ptr %p.y, align 4
  %sum = fadd <2 x float> %x, %y
  %q = getelementptr inbounds <2 x float>, ptr %out, i64 %item
  store <2 x float> %sum, ptr %q, align 4
  %item.next = add nuw nsw i64 %item, 1
  %more = icmp ult i64 %item.next, %count
  br i1 %more, label %items, label %done, !llvm.loop !0
done:
  ret void
}

; CHECK-LABEL: Access groups of 'mixed':
; CHECK-NEXT: interleaved group, step 3, made at %pair = load <2 x float>
; CHECK-NEXT: elements 0 to 1: %pair = load <2 x float>
; CHECK-NEXT: element 2: %i = load i32
define void @mixed(ptr noalias %in, ptr noalias %out, i64 %count) {
entry:
  br label %items
items:
  %item = phi i64 [ 0, %entry ], [ %item.next, %items ]
  %offset = mul nuw nsw i64 %item, 12
  %p = getelementptr inbounds i8, ptr %in, i64 %offset
  %pair = load <2 x float>, ptr %p, align 4
  %p.i = getelementptr inbounds i8, ptr %p, i64 8
  %i = load i32, ptr %p.i, align 4
  %pair.i = fptosi <2 x float> %pair to <2 x i32>
  %first = extractelement <2 x i32> %pair.i, i64 0
  %sum = add i32 %first, %i
  %q = getelementptr inbounds i32, ptr %out, i64 %item
  store i32 %sum, ptr %q, align 4
  %item.next = add nuw nsw i64 %item, 1
  %more = icmp ult i64 %item.next, %count
  br i1 %more, label %items, label %done, !llvm.loop !0
done:
  ret void
}

!0 = distinct !{!0, !1}
!1 = !{!"quern.item-loop"}
