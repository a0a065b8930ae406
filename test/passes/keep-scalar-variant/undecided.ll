; SPDX-License-Identifier: Apache-2.0
; SPDX-FileCopyrightText: The Quern authors
; A function for which vectors are a guess leaves a copy that stays without.
; RUN: %quernc --passes=keep-scalar-variant %s | FileCheck %s

; CHECK: define void @f() #[[UNDECIDED:[0-9]+]]
; CHECK: define void @__quern_single_f() #[[SCALAR:[0-9]+]]
; CHECK: attributes #[[UNDECIDED]] = { "quern-guessed" }
; CHECK: attributes #[[SCALAR]] = { "quern-single" }
define void @f() "quern-guessed" {
  ret void
}
