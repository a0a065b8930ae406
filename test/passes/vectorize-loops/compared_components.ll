; SPDX-License-Identifier: Apache-2.0
; SPDX-FileCopyrightText: The Quern authors
; Components that are compared one by one are one comparison.
; RUN: %quernc --passes="function(loop-simplify,lcssa,vectorize-loops)" %s | FileCheck %s

; CHECK-LABEL: @any_equal(
; CHECK: icmp eq <4 x i32>
; CHECK-NOT: extractelement
; CHECK: ret i1
define i1 @any_equal(<4 x i32> %a, <4 x i32> %b)  {
  %a0 = extractelement <4 x i32> %a, i64 0
  %b0 = extractelement <4 x i32> %b, i64 0
  %c0 = icmp eq i32 %a0, %b0
  %a1 = extractelement <4 x i32> %a, i64 1
  %b1 = extractelement <4 x i32> %b, i64 1
  %c1 = icmp eq i32 %a1, %b1
  %o1 = select i1 %c0, i1 true, i1 %c1
  %a2 = extractelement <4 x i32> %a, i64 2
  %b2 = extractelement <4 x i32> %b, i64 2
  %c2 = icmp eq i32 %a2, %b2
  %o2 = select i1 %o1, i1 true, i1 %c2
  %a3 = extractelement <4 x i32> %a, i64 3
  %b3 = extractelement <4 x i32> %b, i64 3
  %c3 = icmp eq i32 %a3, %b3
  %o3 = select i1 %o2, i1 true, i1 %c3
  ret i1 %o3
}
