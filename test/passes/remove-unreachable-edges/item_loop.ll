; SPDX-License-Identifier: Apache-2.0
; SPDX-FileCopyrightText: The Quern authors
; A switch over all values of its operand is no second exit of the loop over work-items, which is vectorized then.
; RUN: %quernc --passes="function(remove-unreachable-edges,vectorize-items<width=8>)" %s | FileCheck %s

; CHECK-LABEL: @item_loop(
; CHECK: call void @llvm.masked.store.v8i32
; CHECK: "quern-vectorized"="8"
define void @item_loop(ptr noalias %out, i1 %c, i64 %count) {
entry:
  br label %items
items:
  %item = phi i64 [ 0, %entry ], [ %item.next, %next ]
  switch i1 %c, label %never [
    i1 false, label %zero
    i1 true, label %one
  ]
never:
  unreachable
zero:
  br label %next
one:
  br label %next
next:
  %x = phi i32 [ 3, %zero ], [ 4, %one ]
  %q = getelementptr inbounds i32, ptr %out, i64 %item
  store i32 %x, ptr %q
  %item.next = add nuw nsw i64 %item, 1
  %more = icmp ult i64 %item.next, %count
  br i1 %more, label %items, label %done, !llvm.loop !0
done:
  ret void
}

!0 = distinct !{!0, !1}
!1 = !{!"quern.item-loop"}
