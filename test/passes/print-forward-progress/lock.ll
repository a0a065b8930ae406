; SPDX-License-Identifier: Apache-2.0
; SPDX-FileCopyrightText: The Quern authors
; Who waits for a lock spins until another work-item gives it back; who counts, or tries to exchange what it has read,
; gets on.
; RUN: %quernc --passes="print<forward-progress>" %s 2>&1 >/dev/null | FileCheck %s

; CHECK-LABEL: Forward progress of 'lock':
; CHECK-NEXT: loop take: may spin until another work-item makes progress
; CHECK-LABEL: Forward progress of 'count':
; CHECK-NEXT: loop next: progresses
; CHECK-LABEL: Forward progress of 'lock_free':
; CHECK-NEXT: loop try: progresses
define void @lock(ptr addrspace(1) %lock) {
entry:
  br label %take
take:
  %old = atomicrmw xchg ptr addrspace(1) %lock, i32 1 monotonic
  %taken = icmp eq i32 %old, 0
  br i1 %taken, label %done, label %take
done:
  store atomic i32 0, ptr addrspace(1) %lock monotonic, align 4
  ret void
}

define void @count(ptr addrspace(1) %counter, i32 %n) {
entry:
  br label %next
next:
  %old = atomicrmw add ptr addrspace(1) %counter, i32 1 monotonic
  %more = icmp ult i32 %old, %n
  br i1 %more, label %next, label %done
done:
  ret void
}

define void @lock_free(ptr addrspace(1) %sum, i32 %x) {
entry:
  br label %try
try:
  %old = load atomic i32, ptr addrspace(1) %sum monotonic, align 4
  %new = add i32 %old, %x
  %pair = cmpxchg ptr addrspace(1) %sum, i32 %old, i32 %new monotonic monotonic
  %done = extractvalue { i32, i1 } %pair, 1
  br i1 %done, label %exit, label %try
exit:
  ret void
}
