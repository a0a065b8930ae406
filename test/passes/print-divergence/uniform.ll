; SPDX-License-Identifier: Apache-2.0
; SPDX-FileCopyrightText: The Quern authors
; A branch that all take the same way makes nothing divergent.
; RUN: %quernc --passes="print<divergence>" %s 2>&1 >/dev/null | FileCheck %s

; CHECK: block then{{$}}
; CHECK-NOT: DIVERGENT
define i64 @uniform(i64 %n) {
entry:
  %c = icmp eq i64 %n, 0
  br i1 %c, label %then, label %end
then:
  br label %end
end:
  %x = phi i64 [ 1, %then ], [ 2, %entry ]
  ret i64 %x
}
