; SPDX-License-Identifier: Apache-2.0
; SPDX-FileCopyrightText: The Quern authors
; In a loop that takes two rows at once the pointer grows by two rows.
; RUN: %quernc --passes="reduce-strength" %s | FileCheck %s

; CHECK-LABEL: @step(
; CHECK: mul i64 2, %pitch
; CHECK: %[[STEP:.*]] = sub i64
; CHECK: rows:
; CHECK: %[[POINTER:.*]] = phi ptr
; CHECK: store i8 1, ptr %[[POINTER]]
; CHECK: getelementptr i8, ptr %[[POINTER]], i64 %[[STEP]]
define void @step(ptr %out, i64 %pitch, i64 %x, i64 %height) {
entry:
  br label %rows
rows:
  %y = phi i64 [ 0, %entry ], [ %y.next, %rows.next ]
  %row = mul i64 %y, %pitch
  %at = add i64 %row, %x
  %q = getelementptr i8, ptr %out, i64 %at
  store i8 1, ptr %q
  br label %rows.next
rows.next:
  %y.next = add nuw nsw i64 %y, 2
  %y.more = icmp ult i64 %y.next, %height
  br i1 %y.more, label %rows, label %done
done:
  ret void
}
