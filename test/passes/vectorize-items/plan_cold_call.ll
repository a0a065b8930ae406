; SPDX-License-Identifier: Apache-2.0
; SPDX-FileCopyrightText: The Quern authors
; The branch to a cold function is hardly ever taken: what the function costs does not decide, as it would without.
; RUN: %quernc --passes=vectorize-items %s | FileCheck %s

declare void @report(float)

; CHECK-LABEL: define void @rare(
; CHECK: fmul <{{.*}} x float>
define void @rare(ptr noalias %in, ptr noalias %out, i64 %count) {
entry:
  br label %items
items:
  %item = phi i64 [ 0, %entry ], [ %item.next, %end ]
  %p = getelementptr inbounds float, ptr %in, i64 %item
  %x = load float, ptr %p
  %is_large = fcmp ogt float %x, 1.0e+5
  br i1 %is_large, label %large, label %end
large:
  call void @report(float %x) #0
  br label %end
end:
  %y = fmul float %x, %x
  %q = getelementptr inbounds float, ptr %out, i64 %item
  store float %y, ptr %q
  %item.next = add nuw nsw i64 %item, 1
  %more = icmp ult i64 %item.next, %count
  br i1 %more, label %items, label %done, !llvm.loop !0
done:
  ret void
}

; CHECK-LABEL: define void @usual(
; CHECK-NOT: fmul <{{.*}} x float>
define void @usual(ptr noalias %in, ptr noalias %out, i64 %count) {
entry:
  br label %items
items:
  %item = phi i64 [ 0, %entry ], [ %item.next, %end ]
  %p = getelementptr inbounds float, ptr %in, i64 %item
  %x = load float, ptr %p
  %is_large = fcmp ogt float %x, 1.0e+5
  br i1 %is_large, label %large, label %end
large:
  call void @report(float %x)
  br label %end
end:
  %y = fmul float %x, %x
  %q = getelementptr inbounds float, ptr %out, i64 %item
  store float %y, ptr %q
  %item.next = add nuw nsw i64 %item, 1
  %more = icmp ult i64 %item.next, %count
  br i1 %more, label %items, label %done, !llvm.loop !0
done:
  ret void
}

attributes #0 = { cold }

!0 = distinct !{!0, !1}
!1 = !{!"quern.item-loop"}
