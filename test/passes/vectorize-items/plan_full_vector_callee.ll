; SPDX-License-Identifier: Apache-2.0
; SPDX-FileCopyrightText: The Quern authors
; Explicit vectors that fill registers make the estimate certain in a function that is called too.
; RUN: %quernc --passes=vectorize-items %s | FileCheck %s

target triple = "x86_64-pc-linux-gnu"

; CHECK: attributes {{.*}}"quern-plans"="VF={{.*}}, unprofitable\0A"
define void @kernel(ptr noalias %in, ptr noalias %out, i64 %count) #0 {
entry:
  br label %items
items:
  %item = phi i64 [ 0, %entry ], [ %item.next, %items ]
  %p = getelementptr inbounds <8 x i32>, ptr %in, i64 %item
  %x = load <8 x i32>, ptr %p
  %y = call <8 x i32> @mix(<8 x i32> %x)
  %q = getelementptr inbounds <8 x i32>, ptr %out, i64 %item
  store <8 x i32> %y, ptr %q
  %item.next = add nuw nsw i64 %item, 1
  %more = icmp ult i64 %item.next, %count
  br i1 %more, label %items, label %done, !llvm.loop !0
done:
  ret void
}

define internal <8 x i32> @mix(<8 x i32> %x) noinline #0 {
  %a = mul <8 x i32> %x, %x
  %b = xor <8 x i32> %a, %x
  %c = add <8 x i32> %b, %a
  %d = mul <8 x i32> %c, %b
  %e = xor <8 x i32> %d, %c
  %f = add <8 x i32> %e, %d
  %g = mul <8 x i32> %f, %e
  %h = xor <8 x i32> %g, %f
  %i = add <8 x i32> %h, %g
  ret <8 x i32> %i
}

attributes #0 = { "target-cpu"="haswell" }

!0 = distinct !{!0, !1}
!1 = !{!"quern.item-loop"}
