; SPDX-License-Identifier: Apache-2.0
; SPDX-FileCopyrightText: The Quern authors
; A phi of a loop that begins with what is kept, and keeps it in each turn; of another mask it does not.
; RUN: %quernc --passes=remove-redundant-selects %s | FileCheck %s

; CHECK-LABEL: @loop(
; CHECK: done:
; CHECK-NEXT: ret <4 x i32> %value
define <4 x i32> @loop(<4 x i1> %on, <4 x i32> %old, i32 %n) {
entry:
  br label %turn
turn:
  %i = phi i32 [ 0, %entry ], [ %i.next, %turn ]
  %value = phi <4 x i32> [ %old, %entry ], [ %next, %turn ]
  %more = add <4 x i32> %value, splat (i32 1)
  %next = select <4 x i1> %on, <4 x i32> %more, <4 x i32> %value
  %i.next = add i32 %i, 1
  %again = icmp ult i32 %i.next, %n
  br i1 %again, label %turn, label %done
done:
  %blend = select <4 x i1> %on, <4 x i32> %value, <4 x i32> %old
  ret <4 x i32> %blend
}
