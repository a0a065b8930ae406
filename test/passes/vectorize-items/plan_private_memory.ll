; SPDX-License-Identifier: Apache-2.0
; SPDX-FileCopyrightText: The Quern authors
; Vectors have fewer lanes where the private array of all lanes would not fit the stack.
; RUN: %quernc --passes=vectorize-items %s | FileCheck %s

; CHECK: attributes {{.*}}"quern-plans"="VF=8,
define void @fewer_lanes(ptr %out, i64 %count) {
entry:
  %array = alloca [8192 x i32]
  br label %items
items:
  %item = phi i64 [ 0, %entry ], [ %item.next, %items ]
  %q = getelementptr inbounds i32, ptr %out, i64 %item
  %index = load i32, ptr %q
  %a = getelementptr inbounds [8192 x i32], ptr %array, i64 0, i32 %index
  store i32 1, ptr %a
  %b = getelementptr inbounds [8192 x i32], ptr %array, i64 0, i64 3
  %s = load i32, ptr %b
  store i32 %s, ptr %q
  %item.next = add nuw nsw i64 %item, 1
  %more = icmp ult i64 %item.next, %count
  br i1 %more, label %items, label %done, !llvm.loop !0
done:
  ret void
}

!0 = distinct !{!0, !1}
!1 = !{!"quern.item-loop"}
