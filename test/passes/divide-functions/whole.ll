; SPDX-License-Identifier: Apache-2.0
; SPDX-FileCopyrightText: The Quern authors
; Blocks from which there are two ways out stay in their function, and so does one large branch; what comes before and
; behind it is divided.
; RUN: %quernc --passes='divide-functions<blocks=8>' %s | FileCheck %s

declare void @use(i32)

; CHECK-LABEL: define void @returns(
; CHECK-NOT: call void @returns.piece
; CHECK: define
define void @returns(i32 %value) {
entry:
  br label %first

first:
  %is_one = icmp eq i32 %value, 1
  br i1 %is_one, label %one, label %second

one:
  call void @use(i32 1)
  ret void

second:
  %is_two = icmp eq i32 %value, 2
  br i1 %is_two, label %two, label %third

two:
  call void @use(i32 2)
  ret void

third:
  %is_three = icmp eq i32 %value, 3
  br i1 %is_three, label %three, label %done

three:
  call void @use(i32 3)
  ret void

fourth:
  br label %done

done:
  br label %end

end:
  ret void
}

; CHECK-LABEL: void @cases(
; CHECK: call void @cases.piece(i32 %value)
; CHECK: switch i32 %value, label
; CHECK: call void @cases.piece.1(i32 %value)
; CHECK: ret void
define void @cases(i32 %value) {
entry:
  br label %first

first:
  %is_one = icmp eq i32 %value, 1
  br i1 %is_one, label %one, label %second

one:
  call void @use(i32 1)
  br label %second

second:
  switch i32 %value, label %join [
    i32 0, label %zero
    i32 1, label %case_one
    i32 2, label %two
  ]

zero:
  call void @use(i32 10)
  br label %join

case_one:
  call void @use(i32 11)
  br label %join

two:
  call void @use(i32 12)
  br label %join

join:
  %is_three = icmp eq i32 %value, 3
  br i1 %is_three, label %three, label %done

three:
  call void @use(i32 3)
  br label %done

done:
  ret void
}
