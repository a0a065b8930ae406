; SPDX-License-Identifier: Apache-2.0
; SPDX-FileCopyrightText: The Quern authors
; A coordinate that comes from memory says nothing about a group: all checks stay, and there is one loop.
; RUN: %quernc --passes=work-groups %s | FileCheck %s

; CHECK-LABEL: @kernel(
; CHECK-NOT: label %checked
; CHECK: icmp ult i32 %{{.*}}, %{{.*}}
; CHECK-NOT: @__quern_is_inside(i32 %
define void @kernel(ptr addrspace(2) "quern-known-image"="0 1 2 3" %image, i32 %width, ptr addrspace(1) %places,
                    ptr noalias readonly %ndrange, ptr addrspace(3) %local, ptr noalias %scratch, ptr noalias %memory,
                    i64 %id.x, i64 %id.y, i64 %id.z, i64 %size.x, i64 %size.y, i64 %size.z) {
entry:
  %id = call i64 @_Z13get_global_idj(i32 0)
  %place = getelementptr i32, ptr addrspace(1) %places, i64 %id
  %x = load i32, ptr addrspace(1) %place
  %guard = icmp slt i32 %x, %width
  br i1 %guard, label %check, label %end

check:
  %member = getelementptr inbounds i8, ptr addrspace(2) %image, i64 24
  %size = load i32, ptr addrspace(2) %member
  %inside = call i1 @__quern_is_inside(i32 %x, i32 %size)
  br i1 %inside, label %write, label %end

write:
  %pixels = load ptr addrspace(1), ptr addrspace(2) %image
  %pixel = getelementptr i8, ptr addrspace(1) %pixels, i32 %x
  store i8 1, ptr addrspace(1) %pixel
  br label %end

end:
  ret void
}

declare i64 @_Z13get_global_idj(i32) nounwind willreturn memory(none)
declare i1 @__quern_is_inside(i32, i32) nounwind willreturn memory(none)
