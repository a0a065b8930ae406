; SPDX-License-Identifier: Apache-2.0
; SPDX-FileCopyrightText: The Quern authors
; Blocks behind a branch that work-items take differently, and phis where they meet.
; RUN: %quernc --passes="print<divergence>" %s 2>&1 >/dev/null | FileCheck %s

; CHECK: block then (divergent)
; CHECK: block end{{$}}
; CHECK-NEXT: DIVERGENT: {{ *}}%x = phi
define i64 @branch() {
entry:
  %id = call i64 @_Z12get_local_idj(i32 0)
  %c = icmp eq i64 %id, 0
  br i1 %c, label %then, label %end
then:
  br label %end
end:
  %x = phi i64 [ 1, %then ], [ 2, %entry ]
  ret i64 %x
}

declare i64 @_Z12get_local_idj(i32)
