; SPDX-License-Identifier: Apache-2.0
; SPDX-FileCopyrightText: The Quern authors
; Functions that are not larger than the limit stay as they are, and so do those with local linkage, which are no
; kernels. Blocks that nothing reaches do not count.
; RUN: %quernc --passes='divide-functions<blocks=8>' %s | FileCheck %s

declare void @use(i32)

; CHECK-NOT: piece
; CHECK-LABEL: define void @kernel(
define void @kernel(i32 %value) {
entry:
  br label %first

first:
  %is_one = icmp eq i32 %value, 1
  br i1 %is_one, label %one, label %second

one:
  call void @use(i32 1)
  br label %second

second:
  %is_two = icmp eq i32 %value, 2
  br i1 %is_two, label %two, label %done

two:
  call void @use(i32 2)
  br label %done

done:
  ret void

unreachable1:
  br label %unreachable2

unreachable2:
  br label %unreachable3

unreachable3:
  br label %second
}

; CHECK-LABEL: define internal void @function(
define internal void @function(i32 %value) {
entry:
  br label %first

first:
  %is_one = icmp eq i32 %value, 1
  br i1 %is_one, label %one, label %second

one:
  call void @use(i32 1)
  br label %second

second:
  %is_two = icmp eq i32 %value, 2
  br i1 %is_two, label %two, label %third

two:
  call void @use(i32 2)
  br label %third

third:
  %is_three = icmp eq i32 %value, 3
  br i1 %is_three, label %three, label %done

three:
  call void @use(i32 3)
  br label %done

done:
  br label %behind

behind:
  ret void
}

define void @caller(i32 %value) {
  call void @function(i32 %value)
  ret void
}
; CHECK-NOT: piece
