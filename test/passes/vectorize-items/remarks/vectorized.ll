; SPDX-License-Identifier: Apache-2.0
; SPDX-FileCopyrightText: The Quern authors
; A loop that was vectorized is an optimization that passed, with its factor, where the source has its first
; instruction; its plan is an analysis.
; RUN: %quernc --passes="vectorize-items<width=8;interleave=2>" --remarks=%t.yaml %s >/dev/null
; RUN: FileCheck %s --input-file=%t.yaml

; CHECK: --- !Analysis
; CHECK-NEXT: Pass: quern-vectorize
; CHECK-NEXT: Name: Plan
; CHECK: - Plan: 'VF=8, IC=2, tail=masked, cost scalar={{.*}} vector={{.*}}'
; CHECK: --- !Passed
; CHECK-NEXT: Pass: quern-vectorize
; CHECK-NEXT: Name: Vectorized
; CHECK-NEXT: DebugLoc: { File: k.cl, Line: 7, Column: 3 }
; CHECK-NEXT: Function: vectorized
; CHECK: - String: 'vectorized (vectorization factor '
; CHECK-NEXT: - VectorizationFactor: '8'
; CHECK-NEXT: - String: ', interleave count '
; CHECK-NEXT: - InterleaveCount: '2'
define void @vectorized(ptr noalias %out, i64 %count) !dbg !4 {
entry:
  br label %items
items:
  %item = phi i64 [ 0, %entry ], [ %item.next, %items ]
  %q = getelementptr inbounds i32, ptr %out, i64 %item, !dbg !6
  store i32 7, ptr %q, !dbg !7
  %item.next = add nuw nsw i64 %item, 1
  %more = icmp ult i64 %item.next, %count
  br i1 %more, label %items, label %done, !llvm.loop !0
done:
  ret void
}

!llvm.module.flags = !{!2}
!llvm.dbg.cu = !{!3}

!0 = distinct !{!0, !1}
!1 = !{!"quern.item-loop"}
!2 = !{i32 2, !"Debug Info Version", i32 3}
!3 = distinct !DICompileUnit(language: DW_LANG_C99, file: !5, emissionKind: NoDebug)
!4 = distinct !DISubprogram(name: "vectorized", file: !5, line: 5, type: !8, unit: !3)
!5 = !DIFile(filename: "k.cl", directory: "")
!6 = !DILocation(line: 7, column: 3, scope: !4)
!7 = !DILocation(line: 8, column: 3, scope: !4)
!8 = !DISubroutineType(types: !{})
