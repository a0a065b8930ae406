; SPDX-License-Identifier: Apache-2.0
; SPDX-FileCopyrightText: The Quern authors
; A function for which vectors are a guess leaves a copy that stays without.
; RUN: %quernc --passes=keep-scalar-variant %s | FileCheck %s

; CHECK: define void @f() #[[UNDECIDED:[0-9]+]]
; CHECK: define void @__quern_single_f() #[[SCALAR:[0-9]+]]
; CHECK: attributes #[[UNDECIDED]] = { "quern-undecided" }
; CHECK: attributes #[[SCALAR]] = { "quern-scalar-variant" }
define void @f() "quern-undecided" {
  ret void
}
