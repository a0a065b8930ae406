; SPDX-License-Identifier: Apache-2.0
; SPDX-FileCopyrightText: The Quern authors
; Booleans that live across a barrier are bytes of the barrier context, and so are those of vectors.
; RUN: %quernc --passes=work-groups %s | FileCheck %s

; CHECK-LABEL: @kernel(
; CHECK-NOT: store i1
; CHECK: %[[BYTES:.*]] = zext <4 x i1> %cs{{[0-9]*}} to <4 x i8>
; CHECK: store <4 x i8> %[[BYTES]], ptr
; CHECK: %[[BYTE:.*]] = zext i1 %c{{[0-9]*}} to i8
; CHECK: store i8 %[[BYTE]], ptr
; CHECK: br i1 {{.*}}, !llvm.loop
; CHECK-NOT: load i1
; CHECK-DAG: %[[B:.*]] = load i8, ptr
; CHECK-DAG: icmp ne i8 %[[B]], 0
; CHECK-DAG: %[[BS:.*]] = load <4 x i8>, ptr
; CHECK-DAG: icmp ne <4 x i8> %[[BS]], zeroinitializer
define void @kernel(ptr addrspace(1) %in, ptr addrspace(1) %out,
                    ptr noalias readonly %ndrange, ptr addrspace(3) %local, ptr noalias %scratch, ptr noalias %memory,
                    i64 %id.x, i64 %id.y, i64 %id.z, i64 %size.x, i64 %size.y, i64 %size.z) {
  %id = call i64 @_Z12get_local_idj(i32 0)
  %p = getelementptr <4 x i32>, ptr addrspace(1) %in, i64 %id
  %xs = load <4 x i32>, ptr addrspace(1) %p
  %cs = icmp sgt <4 x i32> %xs, zeroinitializer
  %x = extractelement <4 x i32> %xs, i32 0
  %c = icmp sgt i32 %x, 5
  call void @_Z7barrierj(i32 1)
  %q = getelementptr <4 x i32>, ptr addrspace(1) %out, i64 %id
  %v = select i1 %c, <4 x i1> %cs, <4 x i1> splat (i1 true)
  %w = sext <4 x i1> %v to <4 x i32>
  store <4 x i32> %w, ptr addrspace(1) %q
  ret void
}

declare i64 @_Z12get_local_idj(i32)
declare void @_Z7barrierj(i32) convergent noduplicate
