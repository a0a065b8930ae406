; SPDX-License-Identifier: Apache-2.0
; SPDX-FileCopyrightText: The Quern authors
; A loop waits for its own number; one for what is the same for all waits for other groups, and lanes do that together.
; RUN: %quernc --passes="print<forward-progress>" %s 2>&1 >/dev/null | FileCheck %s

; CHECK-LABEL: Forward progress of 'own_number':
; CHECK-NEXT: loop wait: may spin until another work-item makes progress
; CHECK-LABEL: Forward progress of 'same_for_all':
; CHECK-NEXT: loop wait: progresses
define void @own_number(ptr addrspace(1) %flag, ptr addrspace(1) %numbers) {
entry:
  %own = load volatile i32, ptr addrspace(1) %numbers
  br label %wait
wait:
  %now = load atomic i32, ptr addrspace(1) %flag acquire, align 4
  %is_mine = icmp eq i32 %now, %own
  br i1 %is_mine, label %done, label %wait
done:
  ret void
}

define void @same_for_all(ptr addrspace(1) %flag, i32 %n) {
entry:
  br label %wait
wait:
  %now = load atomic i32, ptr addrspace(1) %flag acquire, align 4
  %is_there = icmp eq i32 %now, %n
  br i1 %is_there, label %done, label %wait
done:
  ret void
}
