; SPDX-License-Identifier: Apache-2.0
; SPDX-FileCopyrightText: The Quern authors
; A function that is decided has no copy.
; RUN: %quernc --passes=keep-scalar-variant %s | FileCheck %s

; CHECK: define void @f()
; CHECK-NOT: __quern_single_
define void @f() "quern-vectorized"="8" {
  ret void
}
