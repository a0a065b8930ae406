; SPDX-License-Identifier: Apache-2.0
; SPDX-FileCopyrightText: The Quern authors
; What decides on a format is inlined once that is a constant.
; RUN: %quernc --passes=mark-known-calls %s | FileCheck %s

; CHECK: define i32 @decode_any_int(i32 %format) #[[INLINED:[0-9]+]]
; CHECK: define i32 @decode_any_float(i32 %format) #[[KEPT:[0-9]+]]
; CHECK-DAG: attributes #[[INLINED]] = { alwaysinline }
; CHECK-DAG: attributes #[[KEPT]] = { noinline }
define i32 @decode_any_int(i32 %format) noinline {
  ret i32 1
}

define i32 @decode_any_float(i32 %format) noinline {
  ret i32 1
}

define void @kernel(ptr addrspace(2) "quern-known-image"="1023 4 4277 4306" %image, i32 %format) {
  %a = call i32 @decode_any_int(i32 1023)
  %b = call i32 @decode_any_float(i32 %format)
  ret void
}
