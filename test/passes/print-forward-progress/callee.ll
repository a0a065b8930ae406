; SPDX-License-Identifier: Apache-2.0
; SPDX-FileCopyrightText: The Quern authors
; A function that is called may spin, and a plain loop does not.
; RUN: %quernc --passes="print<forward-progress>" %s 2>&1 >/dev/null | FileCheck %s

; CHECK-LABEL: Forward progress of 'caller':
; CHECK-NEXT: loop loop: progresses
; CHECK-NEXT: a callee may spin
define void @caller(ptr addrspace(1) %lock, i32 %n) {
entry:
  br label %loop
loop:
  %k = phi i32 [ 0, %entry ], [ %k.next, %loop ]
  call void @take(ptr addrspace(1) %lock)
  %k.next = add i32 %k, 1
  %more = icmp ult i32 %k.next, %n
  br i1 %more, label %loop, label %done
done:
  ret void
}

define internal void @take(ptr addrspace(1) %lock) {
entry:
  br label %take
take:
  %old = atomicrmw xchg ptr addrspace(1) %lock, i32 1 monotonic
  %taken = icmp eq i32 %old, 0
  br i1 %taken, label %done, label %take
done:
  ret void
}
