; SPDX-License-Identifier: Apache-2.0
; SPDX-FileCopyrightText: The Quern authors
; An object with a destructor is refused, and so is a constructor with parameters.
; RUN: not %quernc --passes=gather-constructors %s 2>&1 | FileCheck %s

; CHECK: error: a program-scope or static object has a destructor
define internal void @constructor() {
  %r = call i32 @__cxa_atexit(ptr null, ptr null, ptr null)
  ret void
}

declare i32 @__cxa_atexit(ptr, ptr, ptr)
