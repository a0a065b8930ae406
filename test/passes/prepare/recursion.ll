; SPDX-License-Identifier: Apache-2.0
; SPDX-FileCopyrightText: The Quern authors
; A recursive function that asks for a place cannot be inlined: the program is refused.
; RUN: not %quernc --passes=prepare %s 2>&1 | FileCheck %s

; CHECK: error: recursive function 'again' uses work-item functions, barriers or local memory
define spir_func i64 @again() {
  %id = call spir_func i64 @_Z13get_global_idj(i32 0)
  %x = call spir_func i64 @again()
  ret i64 %x
}

define spir_kernel void @kernel() {
  %x = call spir_func i64 @again()
  ret void
}

declare spir_func i64 @_Z13get_global_idj(i32)
