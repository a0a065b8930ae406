; SPDX-License-Identifier: Apache-2.0
; SPDX-FileCopyrightText: The Quern authors
; A square does not grow by a constant, and a 32-bit product may wrap: such addresses stay.
; RUN: %quernc --passes="reduce-strength" %s | FileCheck %s

; CHECK-LABEL: @square(
; CHECK-NOT: phi ptr
; CHECK: %q = getelementptr i8, ptr %out, i64 %at
; CHECK: store i8 1, ptr %q
; CHECK-LABEL: @may_wrap(
; CHECK-NOT: phi ptr
; CHECK: %q = getelementptr i8, ptr %out, i64 %at
; CHECK: store i8 1, ptr %q
define void @square(ptr %out, i64 %height) {
entry:
  br label %rows
rows:
  %y = phi i64 [ 0, %entry ], [ %y.next, %rows.next ]
  %at = mul i64 %y, %y
  %q = getelementptr i8, ptr %out, i64 %at
  store i8 1, ptr %q
  br label %rows.next
rows.next:
  %y.next = add nuw nsw i64 %y, 1
  %y.more = icmp ult i64 %y.next, %height
  br i1 %y.more, label %rows, label %done
done:
  ret void
}

define void @may_wrap(ptr %out, i32 %pitch, i64 %height) {
entry:
  br label %rows
rows:
  %y = phi i64 [ 0, %entry ], [ %y.next, %rows.next ]
  %narrow = trunc i64 %y to i32
  %row = mul i32 %narrow, %pitch
  %at = zext i32 %row to i64
  %q = getelementptr i8, ptr %out, i64 %at
  store i8 1, ptr %q
  br label %rows.next
rows.next:
  %y.next = add nuw nsw i64 %y, 1
  %y.more = icmp ult i64 %y.next, %height
  br i1 %y.more, label %rows, label %done
done:
  ret void
}
