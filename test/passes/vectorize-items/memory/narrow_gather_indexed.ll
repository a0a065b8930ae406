; SPDX-License-Identifier: Apache-2.0
; SPDX-FileCopyrightText: The Quern authors
; The words around bytes that 32-bit indices give are gathered at 32-bit indices from an aligned base.
; RUN: %quernc --passes="vectorize-items<width=8>" %s | FileCheck %s

; Where the index may be any number of 32 bits, its low bits are added to those of the base for themselves.
; CHECK-LABEL: @by_int(
; CHECK: [[OFFSET:%.*]] = and i64 {{.*}}, 3
; CHECK: [[NEGATIVE:%.*]] = sub i64 0, [[OFFSET]]
; CHECK: [[ALIGNED:%.*]] = getelementptr i8, ptr %in, i64 [[NEGATIVE]]
; CHECK: [[LOW:%.*]] = and <8 x i32> [[INDICES:%.*]], splat (i32 3)
; CHECK: [[SUM:%.*]] = add <8 x i32> [[LOW]],
; CHECK: [[CARRY:%.*]] = lshr <8 x i32> [[SUM]], splat (i32 2)
; CHECK: [[WORD:%.*]] = ashr <8 x i32> [[INDICES]], splat (i32 2)
; CHECK: [[INDEX:%.*]] = add <8 x i32> [[WORD]], [[CARRY]]
; CHECK: getelementptr i32, ptr [[ALIGNED]], <8 x i32> [[INDEX]]
; CHECK: call <8 x i32> @llvm.masked.gather.v8i32
define void @by_int(ptr noalias %indices, ptr noalias %in, ptr noalias %out, i64 %count) {
entry:
  br label %items
items:
  %item = phi i64 [ 0, %entry ], [ %item.next, %next ]
  %r = getelementptr inbounds i32, ptr %indices, i64 %item
  %index = load i32, ptr %r, align 4
  %wide = sext i32 %index to i64
  %p = getelementptr inbounds i8, ptr %in, i64 %wide
  %q = getelementptr inbounds i8, ptr %out, i64 %item
  %x = load i8, ptr %p, align 1
  store i8 %x, ptr %q, align 1
  br label %next
next:
  %item.next = add nuw nsw i64 %item, 1
  %more = icmp ult i64 %item.next, %count
  br i1 %more, label %items, label %done, !llvm.loop !0
done:
  ret void
}

; CHECK-LABEL: @by_byte(
; CHECK: [[INDICES:%.*]] = zext <8 x i8> {{.*}} to <8 x i32>
; CHECK: [[SUM:%.*]] = add <8 x i32> [[INDICES]],
; CHECK: [[WORD:%.*]] = lshr <8 x i32> [[SUM]], splat (i32 1)
; CHECK: getelementptr i32, ptr {{%.*}}, <8 x i32> [[WORD]]
; CHECK: call <8 x i32> @llvm.masked.gather.v8i32
define void @by_byte(ptr noalias %indices, ptr noalias %in, ptr noalias %out, i64 %count) {
entry:
  br label %items
items:
  %item = phi i64 [ 0, %entry ], [ %item.next, %next ]
  %r = getelementptr inbounds i8, ptr %indices, i64 %item
  %index = load i8, ptr %r, align 1
  %wide = zext i8 %index to i64
  %p = getelementptr inbounds i16, ptr %in, i64 %wide
  %q = getelementptr inbounds i16, ptr %out, i64 %item
  %x = load i16, ptr %p, align 2
  store i16 %x, ptr %q, align 2
  br label %next
next:
  %item.next = add nuw nsw i64 %item, 1
  %more = icmp ult i64 %item.next, %count
  br i1 %more, label %items, label %done, !llvm.loop !0
done:
  ret void
}

; Bytes among halves may be in either part of one, and the index of a word is signed.
; CHECK-LABEL: @bytes_of_halves(
; CHECK: [[ADDRESSES:%.*]] = ptrtoint <8 x ptr>
; CHECK: call <8 x i32> @llvm.masked.gather.v8i32
; CHECK-LABEL: @halves_by_uint(
; CHECK: [[ADDRESSES:%.*]] = ptrtoint <8 x ptr>
; CHECK: call <8 x i32> @llvm.masked.gather.v8i32
define void @bytes_of_halves(ptr noalias %indices, ptr noalias %in, ptr noalias %out, i64 %count) {
entry:
  br label %items
items:
  %item = phi i64 [ 0, %entry ], [ %item.next, %next ]
  %r = getelementptr inbounds i8, ptr %indices, i64 %item
  %index = load i8, ptr %r, align 1
  %wide = zext i8 %index to i64
  %p = getelementptr inbounds i16, ptr %in, i64 %wide
  %q = getelementptr inbounds i8, ptr %out, i64 %item
  %x = load i8, ptr %p, align 1
  store i8 %x, ptr %q, align 1
  br label %next
next:
  %item.next = add nuw nsw i64 %item, 1
  %more = icmp ult i64 %item.next, %count
  br i1 %more, label %items, label %done, !llvm.loop !0
done:
  ret void
}

define void @halves_by_uint(ptr noalias %indices, ptr noalias %in, ptr noalias %out, i64 %count) {
entry:
  br label %items
items:
  %item = phi i64 [ 0, %entry ], [ %item.next, %next ]
  %r = getelementptr inbounds i32, ptr %indices, i64 %item
  %index = load i32, ptr %r, align 4
  %wide = zext i32 %index to i64
  %p = getelementptr inbounds i16, ptr %in, i64 %wide
  %q = getelementptr inbounds i16, ptr %out, i64 %item
  %x = load i16, ptr %p, align 2
  store i16 %x, ptr %q, align 2
  br label %next
next:
  %item.next = add nuw nsw i64 %item, 1
  %more = icmp ult i64 %item.next, %count
  br i1 %more, label %items, label %done, !llvm.loop !0
done:
  ret void
}

!0 = distinct !{!0, !1}
!1 = !{!"quern.item-loop"}
