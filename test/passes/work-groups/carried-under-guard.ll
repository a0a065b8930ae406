; SPDX-License-Identifier: Apache-2.0
; SPDX-FileCopyrightText: The Quern authors
; What a loop around barriers carries for each work-item is stored where it changes: by the work-items inside the guard,
; and not at the head of the loop.
; RUN: %quernc --passes=work-groups %s | FileCheck %s

; CHECK-LABEL: @kernel(
; CHECK-NOT: store i32 %x
; CHECK: store i32 %first{{[0-9]*}}, ptr %[[SLOT:[0-9]+]]
; CHECK-NOT: store i32 %x
; CHECK: %guard{{[0-9]*}} = icmp uge
; CHECK-NEXT: br i1 %guard{{[0-9]*}}, label %[[WORK:work[0-9]*]], label %[[JOIN:join[0-9]*]]
; CHECK-NOT: store i32 %x
; CHECK: %sum[[N:[0-9]*]] = add i32 %{{.*}}, %t
; CHECK-NEXT: store i32 %sum[[N]], ptr %
; CHECK-NEXT: br label %[[JOIN]]
; CHECK-NOT: store i32 %x
; CHECK: declare
define void @kernel(ptr addrspace(1) %in, ptr addrspace(1) %out, ptr addrspace(3) %tile, i64 %n,
                    ptr noalias readonly %ndrange, ptr addrspace(3) %local, ptr noalias %scratch, ptr noalias %memory,
                    i64 %id.x, i64 %id.y, i64 %id.z, i64 %size.x, i64 %size.y, i64 %size.z) {
entry:
  %id = call i64 @_Z12get_local_idj(i32 0)
  %i = getelementptr i32, ptr addrspace(1) %in, i64 %id
  %first = load i32, ptr addrspace(1) %i
  %p = getelementptr i32, ptr addrspace(3) %tile, i64 %id
  store i32 %first, ptr addrspace(3) %p
  call void @_Z7barrierj(i32 1)
  br label %step
step:
  %off = phi i64 [ 1, %entry ], [ %off.next, %join ]
  %x = phi i32 [ %first, %entry ], [ %x.next, %join ]
  %guard = icmp uge i64 %id, %off
  br i1 %guard, label %work, label %join
work:
  %before = sub i64 %id, %off
  %q = getelementptr i32, ptr addrspace(3) %tile, i64 %before
  %t = load i32, ptr addrspace(3) %q
  %sum = add i32 %x, %t
  br label %join
join:
  %x.next = phi i32 [ %sum, %work ], [ %x, %step ]
  call void @_Z7barrierj(i32 1)
  store i32 %x.next, ptr addrspace(3) %p
  call void @_Z7barrierj(i32 1)
  %off.next = shl i64 %off, 1
  %more = icmp ult i64 %off.next, %n
  br i1 %more, label %step, label %done
done:
  %o = getelementptr i32, ptr addrspace(1) %out, i64 %id
  store i32 %x.next, ptr addrspace(1) %o
  ret void
}

declare i64 @_Z12get_local_idj(i32) nounwind willreturn memory(none)
declare void @_Z7barrierj(i32) convergent noduplicate
