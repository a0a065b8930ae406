; SPDX-License-Identifier: Apache-2.0
; SPDX-FileCopyrightText: The Quern authors
; InstCombine's form of a comparison with a power of two, of 32 bits of the counter. A mask with a gap is none.
; RUN: %quernc --passes="vectorize-items<width=8>" %s | FileCheck %s

; CHECK-LABEL: @bound(
; CHECK: %[[END:.*]] = call i64 @llvm.umin.i64(i64 %count, i64 128)
; CHECK: sub i64 %[[END]], %first
; CHECK-LABEL: @gap(
; CHECK-NOT: umin
; CHECK: sub i64 %count, %first
define void @bound(ptr noalias %out, i64 %count) {
entry:
  br label %items
items:
  %item = phi i64 [ 0, %entry ], [ %item.next, %next ]
  %high = and i64 %item, 4294967168
  %inside = icmp eq i64 %high, 0
  br i1 %inside, label %body, label %next
body:
  %q = getelementptr inbounds i32, ptr %out, i64 %item
  store i32 7, ptr %q
  br label %next
next:
  %item.next = add nuw nsw i64 %item, 1
  %more = icmp ult i64 %item.next, %count
  br i1 %more, label %items, label %done, !llvm.loop !0
done:
  ret void
}

define void @gap(ptr noalias %out, i64 %count) {
entry:
  br label %items
items:
  %item = phi i64 [ 0, %entry ], [ %item.next, %next ]
  %high = and i64 %item, 384
  %inside = icmp eq i64 %high, 0
  br i1 %inside, label %body, label %next
body:
  %q = getelementptr inbounds i32, ptr %out, i64 %item
  store i32 7, ptr %q
  br label %next
next:
  %item.next = add nuw nsw i64 %item, 1
  %more = icmp ult i64 %item.next, %count
  br i1 %more, label %items, label %done, !llvm.loop !2
done:
  ret void
}

!0 = distinct !{!0, !1}
!1 = !{!"quern.item-loop"}
!2 = distinct !{!2, !1}
