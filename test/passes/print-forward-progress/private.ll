; SPDX-License-Identifier: Apache-2.0
; SPDX-FileCopyrightText: The Quern authors
; Nobody else writes a private variable: a loop does not wait there for another work-item.
; RUN: %quernc --passes="print<forward-progress>" %s 2>&1 >/dev/null | FileCheck %s

; CHECK-LABEL: Forward progress of 'lock':
; CHECK-NEXT: loop take: progresses
define void @lock() {
entry:
  %lock = alloca i32
  %pointer = addrspacecast ptr %lock to ptr addrspace(3)
  br label %take
take:
  %old = atomicrmw xchg ptr addrspace(3) %pointer, i32 1 monotonic
  %taken = icmp eq i32 %old, 0
  br i1 %taken, label %done, label %take
done:
  ret void
}
