; SPDX-License-Identifier: Apache-2.0
; SPDX-FileCopyrightText: The Quern authors
; LLVM's tables have latencies: a loop that is bound by those of its sums is interleaved, one that is not is left alone.
; RUN: %quernc --passes='ignore-target-costs,function(vectorize-items)' %s | FileCheck %s

; CHECK-LABEL: @sums(
; CHECK: fmul <32 x float> {{.*}}, splat (float 3.000000e+00)
; CHECK-LABEL: @independent(
; CHECK-NOT: fmul <{{16|32}} x float>
; CHECK: fmul <8 x float> {{.*}}, splat (float 3.000000e+00)
define void @sums(ptr addrspace(1) noalias %out, i64 %count) {
entry:
  br label %items
items:
  %item = phi i64 [ 0, %entry ], [ %item.next, %next ]
  %q = getelementptr inbounds float, ptr addrspace(1) %out, i64 %item
  %first = load float, ptr addrspace(1) %q
  br label %loop
loop:
  %i = phi i32 [ 0, %items ], [ %i.next, %loop ]
  %x = phi float [ %first, %items ], [ %x.next, %loop ]
  %y = fmul float %x, 3.0
  %x.next = fadd float %y, 1.0
  %i.next = add nuw nsw i32 %i, 1
  %again = fcmp olt float %x.next, 100.0
  br i1 %again, label %loop, label %store
store:
  %sum = phi float [ %x.next, %loop ]
  store float %sum, ptr addrspace(1) %q
  br label %next
next:
  %item.next = add nuw nsw i64 %item, 1
  %more = icmp ult i64 %item.next, %count
  br i1 %more, label %items, label %done, !llvm.loop !0
done:
  ret void
}

define void @independent(ptr addrspace(1) noalias %out, i64 %count) {
entry:
  br label %items
items:
  %item = phi i64 [ 0, %entry ], [ %item.next, %next ]
  %q = getelementptr inbounds float, ptr addrspace(1) %out, i64 %item
  %first = load float, ptr addrspace(1) %q
  br label %loop
loop:
  %i = phi i32 [ 0, %items ], [ %i.next, %loop ]
  %x = phi float [ %first, %items ], [ %x.next, %loop ]
  %f = sitofp i32 %i to float
  %c = fadd float %first, %f
  %y = fmul float %c, 3.0
  %d = fdiv float %y, %c
  %e = fdiv float %d, %first
  %x.next = fadd float %x, %e
  %i.next = add nuw nsw i32 %i, 1
  %again = fcmp olt float %x.next, 100.0
  br i1 %again, label %loop, label %store
store:
  %sum = phi float [ %x.next, %loop ]
  store float %sum, ptr addrspace(1) %q
  br label %next
next:
  %item.next = add nuw nsw i64 %item, 1
  %more = icmp ult i64 %item.next, %count
  br i1 %more, label %items, label %done, !llvm.loop !2
done:
  ret void
}


!0 = distinct !{!0, !1}
!1 = !{!"quern.item-loop"}
!2 = distinct !{!2, !1}
