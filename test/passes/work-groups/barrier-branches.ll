; SPDX-License-Identifier: Apache-2.0
; SPDX-FileCopyrightText: The Quern authors
; Behind each uniform branch with a barrier in it the work-items meet that were in it and those that were not. Where
; more than four regions share what follows, there is a cut, and what follows is there once: the code grows with the
; number of branches, not with its square. Each branch stores a number of its own.
; RUN: %quernc --passes=work-groups %s >%t
; RUN: FileCheck %s --check-prefix=COPIED <%t
; RUN: FileCheck %s --check-prefix=CUT <%t

; COPIED-LABEL: @kernel(
; COPIED-COUNT-4: store i32 104,
; COPIED-NOT: store i32 104,
; CUT-LABEL: @kernel(
; CUT-COUNT-1: store i32 105,
; CUT-NOT: store i32 105,
define void @kernel(ptr addrspace(1) %out, i32 %n,
                    ptr noalias readonly %ndrange, ptr addrspace(3) %local, ptr noalias %scratch, ptr noalias %memory,
                    i64 %id.x, i64 %id.y, i64 %id.z, i64 %size.x, i64 %size.y, i64 %size.z) {
entry:
  %id = call i64 @_Z13get_global_idj(i32 0)
  %p = getelementptr i32, ptr addrspace(1) %out, i64 %id
  br label %if1

if1:
  %c1 = icmp eq i32 %n, 11
  store i32 101, ptr addrspace(1) %p
  br i1 %c1, label %then1, label %if2

then1:
  call void @_Z7barrierj(i32 1)
  br label %if2

if2:
  %c2 = icmp eq i32 %n, 12
  store i32 102, ptr addrspace(1) %p
  br i1 %c2, label %then2, label %if3

then2:
  call void @_Z7barrierj(i32 1)
  br label %if3

if3:
  %c3 = icmp eq i32 %n, 13
  store i32 103, ptr addrspace(1) %p
  br i1 %c3, label %then3, label %if4

then3:
  call void @_Z7barrierj(i32 1)
  br label %if4

if4:
  %c4 = icmp eq i32 %n, 14
  store i32 104, ptr addrspace(1) %p
  br i1 %c4, label %then4, label %if5

then4:
  call void @_Z7barrierj(i32 1)
  br label %if5

if5:
  %c5 = icmp eq i32 %n, 15
  store i32 105, ptr addrspace(1) %p
  br i1 %c5, label %then5, label %if6

then5:
  call void @_Z7barrierj(i32 1)
  br label %if6

if6:
  %c6 = icmp eq i32 %n, 16
  store i32 106, ptr addrspace(1) %p
  br i1 %c6, label %then6, label %if7

then6:
  call void @_Z7barrierj(i32 1)
  br label %if7

if7:
  %c7 = icmp eq i32 %n, 17
  store i32 107, ptr addrspace(1) %p
  br i1 %c7, label %then7, label %done

then7:
  call void @_Z7barrierj(i32 1)
  br label %done

done:
  ret void
}

declare i64 @_Z13get_global_idj(i32)
declare void @_Z7barrierj(i32)
