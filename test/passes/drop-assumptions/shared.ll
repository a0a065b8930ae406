; SPDX-License-Identifier: Apache-2.0
; SPDX-FileCopyrightText: The Quern authors
; Two assumptions of one condition, and one of an operand of the other's.
; RUN: %quernc --passes=drop-assumptions %s | FileCheck %s

; CHECK-LABEL: @shared(
; CHECK-NEXT: br i1 %take, label %then, label %end
; CHECK: then:
; CHECK-NEXT: br label %end
; CHECK: end:
; CHECK-NEXT: ret void
define void @shared(i64 %x, i1 %take) {
  %first = icmp ult i64 %x, 10
  %other = icmp ne i64 %x, 3
  %both = and i1 %first, %other
  call void @llvm.assume(i1 %first)
  call void @llvm.assume(i1 %both)
  br i1 %take, label %then, label %end
then:
  call void @llvm.assume(i1 %both)
  br label %end
end:
  ret void
}

declare void @llvm.assume(i1)
