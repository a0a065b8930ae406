; SPDX-License-Identifier: Apache-2.0
; SPDX-FileCopyrightText: The Quern authors
; What is computed before a piece for it alone is computed in it, with what that is made of; what others use as well, a
; phi at the piece's beginning, what reads memory that may change, or a frozen value, is an argument.
; RUN: %quernc --passes='divide-functions<blocks=8>' %s | FileCheck %s

declare void @use(i32)

; CHECK-LABEL: define void @kernel(
; CHECK: %shared = add i32 %count, 3
; CHECK-NEXT: %incoming = add i32 %count, 5
; CHECK-NEXT: %loaded = load i32, ptr %in
; CHECK-NEXT: %frozen = freeze i32 %other
; CHECK-NEXT: br label %groups
; CHECK-LABEL: define internal void @kernel.piece(
; CHECK-NOT: %product
; CHECK-LABEL: define internal void @kernel.piece.1(
; CHECK: %invariant = load i32, ptr %in
; CHECK-NEXT: %product = mul i32 %invariant, 7
; CHECK-NEXT: %sum = add i32 %product, %count
define void @kernel(ptr %in, i32 %count, i32 %other) {
entry:
  %invariant = load i32, ptr %in, !invariant.load !0
  %product = mul i32 %invariant, 7
  %sum = add i32 %product, %count
  %shared = add i32 %count, 3
  %incoming = add i32 %count, 5
  %loaded = load i32, ptr %in
  %frozen = freeze i32 %other
  br label %groups

groups:
  %group = phi i32 [ 0, %entry ], [ %next, %latch ]
  br label %first

first:
  %is_one = icmp eq i32 %group, %shared
  br i1 %is_one, label %one, label %second

one:
  call void @use(i32 %shared)
  br label %second

second:
  %chosen = phi i32 [ %incoming, %first ], [ 1, %one ]
  %is_two = icmp eq i32 %chosen, %loaded
  br i1 %is_two, label %two, label %latch

two:
  call void @use(i32 %sum)
  call void @use(i32 %product)
  call void @use(i32 %frozen)
  call void @use(i32 %shared)
  br label %latch

latch:
  %next = add i32 %group, 1
  %more = icmp ult i32 %next, %count
  br i1 %more, label %groups, label %done

done:
  br label %behind

behind:
  ret void
}

!0 = !{}
