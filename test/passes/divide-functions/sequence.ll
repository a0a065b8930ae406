; SPDX-License-Identifier: Apache-2.0
; SPDX-FileCopyrightText: The Quern authors
; What lies between blocks that each iteration passes becomes a function; what one piece computes is given to the next.
; RUN: %quernc --passes='divide-functions<blocks=12>' %s | FileCheck %s

declare void @use(i32)

; CHECK-LABEL: define void @kernel(
; CHECK: [[SLOT:%.*]] = alloca i32
; CHECK: groups:
; CHECK-NEXT: %group = phi
; CHECK-NEXT: %value = load i32, ptr %in
; CHECK: call void @kernel.piece(i32 %value, i32 %group, ptr [[SLOT]])
; CHECK-NEXT: [[SUM:%.*]] = load i32, ptr [[SLOT]]
; CHECK: call void @kernel.piece.1(i32 [[SUM]], i32 %value)
; CHECK: latch:
; CHECK: br i1 %more, label %groups, label

; CHECK-LABEL: define internal void @kernel.piece(
; CHECK-SAME: #[[PIECE:[0-9]+]]
; CHECK: [[MERGED:%.*]] = phi i32 [ %group, %one ], [ 7, %other ]
; CHECK-NEXT: store i32 [[MERGED]], ptr
; CHECK-LABEL: define internal void @kernel.piece.1(
; CHECK-SAME: #[[PIECE]]
; CHECK: %is_two = icmp eq i32 %value, 2
; CHECK: attributes #[[PIECE]] = { nounwind "quern-piece"="kernel" "quern-vectorized"="8" }
define void @kernel(ptr %in, i32 %count) #0 {
entry:
  br label %groups

groups:
  %group = phi i32 [ 0, %entry ], [ %next, %latch ]
  %value = load i32, ptr %in
  br label %first

first:
  %is_one = icmp eq i32 %value, 1
  br i1 %is_one, label %one, label %other

one:
  call void @use(i32 1)
  br label %second

other:
  br label %second

second:
  %sum = phi i32 [ %group, %one ], [ 7, %other ]
  %is_two = icmp eq i32 %value, 2
  br i1 %is_two, label %two, label %third

two:
  call void @use(i32 %sum)
  br label %third

third:
  %is_three = icmp eq i32 %value, 3
  br i1 %is_three, label %three, label %latch

three:
  call void @use(i32 3)
  br label %latch

latch:
  %next = add i32 %group, 1
  %more = icmp ult i32 %next, %count
  br i1 %more, label %groups, label %done

done:
  br label %behind

behind:
  br label %last

last:
  ret void
}

attributes #0 = { nounwind "quern-plans"="VF=8" "quern-vectorized"="8" }
