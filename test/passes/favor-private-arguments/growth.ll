; SPDX-License-Identifier: Apache-2.0
; SPDX-FileCopyrightText: The Quern authors
; Each level doubles the code: inlining ends where a callee has 2,000 instructions with those that are inlined into it.
; RUN: %quernc --passes=favor-private-arguments %s | FileCheck %s

define internal void @level0(ptr %value) {
  store volatile i32 0, ptr %value
  store volatile i32 1, ptr %value
  store volatile i32 2, ptr %value
  store volatile i32 3, ptr %value
  ret void
}

define internal void @level1(ptr %value) {
  call void @level0(ptr %value)
  call void @level0(ptr %value)
  ret void
}

define internal void @level2(ptr %value) {
  call void @level1(ptr %value)
  call void @level1(ptr %value)
  ret void
}

define internal void @level3(ptr %value) {
  call void @level2(ptr %value)
  call void @level2(ptr %value)
  ret void
}

define internal void @level4(ptr %value) {
  call void @level3(ptr %value)
  call void @level3(ptr %value)
  ret void
}

define internal void @level5(ptr %value) {
  call void @level4(ptr %value)
  call void @level4(ptr %value)
  ret void
}

define internal void @level6(ptr %value) {
  call void @level5(ptr %value)
  call void @level5(ptr %value)
  ret void
}

define internal void @level7(ptr %value) {
  call void @level6(ptr %value)
  call void @level6(ptr %value)
  ret void
}

; CHECK-LABEL: @level8(
; CHECK: call void @level7(ptr %value) #
define internal void @level8(ptr %value) {
  call void @level7(ptr %value)
  call void @level7(ptr %value)
  ret void
}

; CHECK-LABEL: @level9(
; CHECK: call void @level8(ptr %value){{$}}
define internal void @level9(ptr %value) {
  call void @level8(ptr %value)
  call void @level8(ptr %value)
  ret void
}

define void @kernel() {
  %variable = alloca i32
  call void @level9(ptr %variable)
  ret void
}
