; SPDX-License-Identifier: Apache-2.0
; SPDX-FileCopyrightText: The Quern authors
; Loads whose address changes by what is no constant, from one iteration of the loop around the loops over work-items to
; the next, are prefetched for the next one; a distance that is constant needs no help.
; RUN: %quernc --passes="reduce-strength" %s | FileCheck %s

; CHECK-LABEL: @by_rows(
; CHECK: call void @llvm.prefetch.p1(ptr addrspace(1) %{{.*}}, i32 0, i32 3, i32 1)
; CHECK: ret void
; CHECK-LABEL: @by_constants(
; CHECK-NOT: @llvm.prefetch
; CHECK: ret void
define void @by_rows(ptr addrspace(1) %in, i64 %pitch, ptr %out, i64 %width, i64 %height, i64 %depth) {
entry:
  br label %outer
outer:
  %k = phi i64 [ 0, %entry ], [ %k.next, %outer.next ]
  br label %planes
planes:
  %z = phi i64 [ 0, %outer ], [ %z.next, %planes.next ]
  br label %items
items:
  %item = phi i64 [ 0, %planes ], [ %item.next, %items.next ]
  br label %rows
rows:
  %y = phi i64 [ 0, %items ], [ %y.next, %rows.next ]
  %block = mul i64 %k, 16
  %row = add i64 %block, %y
  %line = mul i64 %row, %pitch
  %at = add i64 %line, %item
  %p = getelementptr float, ptr addrspace(1) %in, i64 %at
  %v = load float, ptr addrspace(1) %p
  %to = mul i64 %y, 64
  %q = getelementptr float, ptr %out, i64 %to
  store float %v, ptr %q
  br label %rows.next
rows.next:
  %y.next = add nuw nsw i64 %y, 1
  %y.more = icmp ult i64 %y.next, %height
  br i1 %y.more, label %rows, label %items.next
items.next:
  %item.next = add nuw nsw i64 %item, 1
  %more = icmp ult i64 %item.next, %width
  br i1 %more, label %items, label %planes.next, !llvm.loop !0
planes.next:
  %z.next = add nuw nsw i64 %z, 1
  %z.more = icmp ult i64 %z.next, %depth
  br i1 %z.more, label %planes, label %outer.next
outer.next:
  %k.next = add nuw nsw i64 %k, 1
  %k.more = icmp ult i64 %k.next, 100
  br i1 %k.more, label %outer, label %done
done:
  ret void
}
define void @by_constants(ptr addrspace(1) %in, i64 %pitch, ptr %out, i64 %width, i64 %height, i64 %depth) {
entry:
  br label %outer
outer:
  %k = phi i64 [ 0, %entry ], [ %k.next, %outer.next ]
  br label %planes
planes:
  %z = phi i64 [ 0, %outer ], [ %z.next, %planes.next ]
  br label %items
items:
  %item = phi i64 [ 0, %planes ], [ %item.next, %items.next ]
  br label %rows
rows:
  %y = phi i64 [ 0, %items ], [ %y.next, %rows.next ]
  %block = mul i64 %k, 16
  %row = add i64 %block, %y
  %line = mul i64 %row, 1000
  %at = add i64 %line, %item
  %p = getelementptr float, ptr addrspace(1) %in, i64 %at
  %v = load float, ptr addrspace(1) %p
  %to = mul i64 %y, 64
  %q = getelementptr float, ptr %out, i64 %to
  store float %v, ptr %q
  br label %rows.next
rows.next:
  %y.next = add nuw nsw i64 %y, 1
  %y.more = icmp ult i64 %y.next, %height
  br i1 %y.more, label %rows, label %items.next
items.next:
  %item.next = add nuw nsw i64 %item, 1
  %more = icmp ult i64 %item.next, %width
  br i1 %more, label %items, label %planes.next, !llvm.loop !0
planes.next:
  %z.next = add nuw nsw i64 %z, 1
  %z.more = icmp ult i64 %z.next, %depth
  br i1 %z.more, label %planes, label %outer.next
outer.next:
  %k.next = add nuw nsw i64 %k, 1
  %k.more = icmp ult i64 %k.next, 100
  br i1 %k.more, label %outer, label %done
done:
  ret void
}

!0 = distinct !{!0, !1}
!1 = !{!"quern.item-loop"}
