; SPDX-License-Identifier: Apache-2.0
; SPDX-FileCopyrightText: The Quern authors
; Two arrays with the same index share one sum, which is added to both pointers.
; RUN: %quernc --passes="reduce-strength" %s | FileCheck %s

; CHECK-LABEL: @shared_sum(
; CHECK: rows:
; CHECK: %[[SUM:.*]] = phi i64
; CHECK: %[[IN:.*]] = getelementptr i8, ptr %in, i64 %[[SUM]]
; CHECK: load float, ptr %[[IN]]
; CHECK: %[[OUT:.*]] = getelementptr i8, ptr %out, i64 %[[SUM]]
; CHECK: store float %v, ptr %[[OUT]]
define void @shared_sum(ptr %in, ptr %out, i64 %pitch, i64 %x, i64 %height) {
entry:
  br label %rows
rows:
  %y = phi i64 [ 0, %entry ], [ %y.next, %rows.next ]
  %row = mul i64 %y, %pitch
  %at = add i64 %row, %x
  %p = getelementptr float, ptr %in, i64 %at
  %v = load float, ptr %p
  %q = getelementptr float, ptr %out, i64 %at
  store float %v, ptr %q
  br label %rows.next
rows.next:
  %y.next = add nuw nsw i64 %y, 1
  %y.more = icmp ult i64 %y.next, %height
  br i1 %y.more, label %rows, label %done
done:
  ret void
}
