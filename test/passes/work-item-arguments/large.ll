; SPDX-License-Identifier: Apache-2.0
; SPDX-FileCopyrightText: The Quern authors
; Functions are inlined for their position as long as that is possible. 40 of them that call the next one twice each
; would be a million million instructions.
; RUN: awk '{ if ($1 != "chain") print; else for (i = $2; i; i--) { \
; RUN:   next_call = "call spir_func i64 @f" i - 1 "()"; \
; RUN:   print "define internal spir_func i64 @f" i "() {"; \
; RUN:   print "%%a = " next_call; print "%%b = " next_call; print "%%c = add i64 %%a, %%b"; \
; RUN:   print "ret i64 %%c"; print "}" } }' %s > %t
; RUN: %quernc --passes=prepare %t | FileCheck %s

; CHECK-LABEL: define internal i64 @f0(i64
define internal spir_func i64 @f0() {
  %id = call spir_func i64 @_Z13get_global_idj(i32 0)
  ret i64 %id
}

chain 40

; CHECK: define internal i64 @f40(i64
; CHECK-LABEL: define void @large(
; CHECK: call i64 @f40(i64
define spir_kernel void @large(ptr addrspace(1) %out) {
  %x = call spir_func i64 @f40()
  store i64 %x, ptr addrspace(1) %out
  ret void
}


declare spir_func i64 @_Z13get_global_idj(i32)
