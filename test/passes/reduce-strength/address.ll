; SPDX-License-Identifier: Apache-2.0
; SPDX-FileCopyrightText: The Quern authors
; An address that grows by the same number of bytes in each row becomes a pointer that does.
; RUN: %quernc --passes="reduce-strength" %s | FileCheck %s

; CHECK-LABEL: @address(
; CHECK: rows:
; CHECK: %[[POINTER:.*]] = phi ptr
; CHECK: store float 1.000000e+00, ptr %[[POINTER]]
; CHECK: rows.next:
define void @address(ptr %out, i64 %pitch, i64 %x, i64 %height) {
entry:
  br label %rows
rows:
  %y = phi i64 [ 0, %entry ], [ %y.next, %rows.next ]
  %row = mul i64 %y, %pitch
  %at = add i64 %row, %x
  %q = getelementptr float, ptr %out, i64 %at
  store float 1.0, ptr %q
  br label %rows.next
rows.next:
  %y.next = add nuw nsw i64 %y, 1
  %y.more = icmp ult i64 %y.next, %height
  br i1 %y.more, label %rows, label %done
done:
  ret void
}
