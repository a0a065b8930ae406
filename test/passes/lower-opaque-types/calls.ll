; SPDX-License-Identifier: Apache-2.0
; SPDX-FileCopyrightText: The Quern authors
; Functions and their calls follow; what makes a sampler of a number vanishes.
; RUN: %quernc --passes=lower-opaque-types %s | FileCheck %s

; CHECK: define i32 @helper(i32 %{{[0-9]+}})
; CHECK-LABEL: define i32 @caller(
; CHECK-NEXT: %r = call i32 @helper(i32 16)
; CHECK-NEXT: ret i32 %r
define i32 @helper(target("spirv.Sampler") %sampler) {
  ret i32 1
}

define i32 @caller() {
  %sampler = call target("spirv.Sampler") @__translate_sampler_initializer(i32 16)
  %r = call i32 @helper(target("spirv.Sampler") %sampler)
  ret i32 %r
}

declare target("spirv.Sampler") @__translate_sampler_initializer(i32)
