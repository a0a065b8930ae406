; SPDX-License-Identifier: Apache-2.0
; SPDX-FileCopyrightText: The Quern authors
; A loop that is larger than a piece is divided within; its phis stay.
; RUN: %quernc --passes='divide-functions<blocks=8>' %s | FileCheck %s

declare void @use(i32)

; CHECK-LABEL: define void @kernel(
; CHECK: inner:
; CHECK-NEXT: %i = phi i32
; CHECK: call void @kernel.piece(i32 %i)
; CHECK: call void @kernel.piece.1(i32 %i)
; CHECK: inner_latch:
; CHECK-NEXT: %next = add i32 %i, 1
; CHECK: ret void
; CHECK-LABEL: define internal void @kernel.piece(
define void @kernel(i32 %count) {
entry:
  br label %groups

groups:
  %group = phi i32 [ 0, %entry ], [ %next_group, %groups_latch ]
  br label %inner

inner:
  %i = phi i32 [ 0, %groups ], [ %next, %inner_latch ]
  br label %first

first:
  %is_one = icmp eq i32 %i, 1
  br i1 %is_one, label %one, label %second

one:
  call void @use(i32 1)
  br label %second

second:
  %is_two = icmp eq i32 %i, 2
  br i1 %is_two, label %two, label %inner_latch

two:
  call void @use(i32 2)
  br label %inner_latch

inner_latch:
  %next = add i32 %i, 1
  %more = icmp ult i32 %next, %count
  br i1 %more, label %inner, label %groups_latch

groups_latch:
  %next_group = add i32 %group, 1
  %more_groups = icmp ult i32 %next_group, %count
  br i1 %more_groups, label %groups, label %done

done:
  ret void
}
