; SPDX-License-Identifier: Apache-2.0
; SPDX-FileCopyrightText: The Quern authors
; A uniform value that is stored counts for the vectorization factor where nothing varies: a register has 8 words, and
; 32 bytes.
; RUN: %quernc --passes=vectorize-items %s | FileCheck %s

; CHECK: attributes #0 = {{.*}}"quern-plans"="VF=8, IC=1
; CHECK: attributes #1 = {{.*}}"quern-plans"="VF=32, IC=1
; CHECK: attributes #2 = {{.*}}"quern-plans"="VF=32, IC=1
define void @words(ptr noalias %out, i32 %value, i64 %count) {
entry:
  br label %items
items:
  %item = phi i64 [ 0, %entry ], [ %item.next, %items ]
  %p = getelementptr inbounds i32, ptr %out, i64 %item
  store i32 %value, ptr %p
  %item.next = add nuw nsw i64 %item, 1
  %more = icmp ult i64 %item.next, %count
  br i1 %more, label %items, label %done, !llvm.loop !0
done:
  ret void
}

define void @bytes(ptr noalias %out, i8 %value, i64 %count) {
entry:
  br label %items
items:
  %item = phi i64 [ 0, %entry ], [ %item.next, %items ]
  %p = getelementptr inbounds i8, ptr %out, i64 %item
  store i8 %value, ptr %p
  %item.next = add nuw nsw i64 %item, 1
  %more = icmp ult i64 %item.next, %count
  br i1 %more, label %items, label %done, !llvm.loop !0
done:
  ret void
}

define void @varying_bytes(ptr noalias %in, ptr noalias %out, ptr noalias %one, i32 %value, i64 %count) {
entry:
  br label %items
items:
  %item = phi i64 [ 0, %entry ], [ %item.next, %items ]
  %p = getelementptr inbounds i8, ptr %in, i64 %item
  %q = getelementptr inbounds i8, ptr %out, i64 %item
  %v = load i8, ptr %p
  %next = add i8 %v, 1
  store i8 %next, ptr %q
  store i32 %value, ptr %one
  %item.next = add nuw nsw i64 %item, 1
  %more = icmp ult i64 %item.next, %count
  br i1 %more, label %items, label %done, !llvm.loop !0
done:
  ret void
}

!0 = distinct !{!0, !1}
!1 = !{!"quern.item-loop"}
