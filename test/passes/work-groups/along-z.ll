; SPDX-License-Identifier: Apache-2.0
; SPDX-FileCopyrightText: The Quern authors
; Accesses that are contiguous along z, the last index of an array: from 8 work-items along z on, the loop along z is
; the innermost one, in that along y and that along x. Other work-groups have the usual nest.
; RUN: %quernc --passes=work-groups %s | FileCheck %s

; CHECK-LABEL: @kernel(
; CHECK: %[[IS_LONG:.*]] = icmp uge i64 %size.z, 8
; CHECK: br i1 %[[IS_LONG]], label %along_z, label %along_x
; CHECK: icmp ult i64 %{{[0-9]+}}, %size.x
; CHECK-NEXT: br i1
; CHECK: icmp ult i64 %{{[0-9]+}}, %size.y
; CHECK-NEXT: br i1 {{.*}}, !llvm.loop [[Y_LOOP:![0-9]+]]
; CHECK: icmp ult i64 %{{[0-9]+}}, %size.z
; CHECK-NEXT: br i1 {{.*}}, !llvm.loop [[ITEM_LOOP:![0-9]+]]
; CHECK: phi i64 [ 0, %along_x ]
; CHECK: icmp ult i64 %{{[0-9]+}}, %size.z
; CHECK-NEXT: br i1
; CHECK: icmp ult i64 %{{[0-9]+}}, %size.y
; CHECK-NEXT: br i1
; CHECK: icmp ult i64 %{{[0-9]+}}, %size.x
; CHECK-NEXT: br i1
; CHECK-DAG: [[ITEM_LOOP]] = distinct !{[[ITEM_LOOP]], [[ITEM:![0-9]+]]
; CHECK-DAG: [[ITEM]] = !{!"quern.item-loop"
; CHECK-DAG: [[Y_LOOP]] = distinct !{[[Y_LOOP]], [[Y:![0-9]+]]
; CHECK-DAG: [[Y]] = !{!"quern.y-loop"
define void @kernel(ptr addrspace(1) %out,
                    ptr noalias readonly %ndrange, ptr addrspace(3) %local, ptr noalias %scratch, ptr noalias %memory,
                    i64 %id.x, i64 %id.y, i64 %id.z, i64 %size.x, i64 %size.y, i64 %size.z) {
  %x = call i64 @_Z13get_global_idj(i32 0)
  %y = call i64 @_Z13get_global_idj(i32 1)
  %z = call i64 @_Z13get_global_idj(i32 2)
  %plane = mul i64 %x, 64
  %line = add i64 %plane, %y
  %start = mul i64 %line, 512
  %index = add i64 %start, %z
  %p = getelementptr i32, ptr addrspace(1) %out, i64 %index
  store i32 1, ptr addrspace(1) %p
  ret void
}

declare i64 @_Z13get_global_idj(i32)
