; SPDX-License-Identifier: Apache-2.0
; SPDX-FileCopyrightText: The Quern authors
; Instructions of pieces keep their places in the source, and variables of a debugger stay in the function that has the
; value.
; RUN: %quernc --passes='divide-functions<blocks=8>,verify' %s | FileCheck %s

declare void @use(i32)

; CHECK-LABEL: define void @kernel(
; CHECK-SAME: !dbg ![[KERNEL:[0-9]+]]
; CHECK: call void @kernel.piece({{.*}}), !dbg
; CHECK-LABEL: define internal void @kernel.piece(
; CHECK-SAME: !dbg ![[PIECE:[0-9]+]]
; CHECK: call void @use(i32 1), !dbg ![[PLACE:[0-9]+]]
; CHECK: #dbg_value(i32 %sunk
; CHECK: ![[KERNEL]] = distinct !DISubprogram(name: "k"
; CHECK: ![[PIECE]] = distinct !DISubprogram(
; CHECK: ![[PLACE]] = !DILocation(line: 3, column: 5, scope: ![[PIECE]])
define void @kernel(i32 %value) !dbg !4 {
entry:
  %sunk = add i32 %value, 3, !dbg !7
    #dbg_value(i32 %sunk, !9, !DIExpression(), !7)
  br label %first, !dbg !7

first:
  %is_one = icmp eq i32 %value, 1, !dbg !7
  br i1 %is_one, label %one, label %second, !dbg !7

one:
  call void @use(i32 1), !dbg !8
  br label %second, !dbg !8

second:
  %is_two = icmp eq i32 %value, 2, !dbg !7
    #dbg_value(i32 %sunk, !9, !DIExpression(), !7)
  br i1 %is_two, label %two, label %third, !dbg !7

two:
  call void @use(i32 %sunk), !dbg !8
  br label %third, !dbg !8

third:
  %is_three = icmp eq i32 %value, 3, !dbg !7
  br i1 %is_three, label %three, label %done, !dbg !7

three:
  call void @use(i32 3), !dbg !8
  br label %done, !dbg !8

done:
  br label %behind, !dbg !7

behind:
  ret void, !dbg !7
}

!llvm.module.flags = !{!0}
!llvm.dbg.cu = !{!1}

!0 = !{i32 2, !"Debug Info Version", i32 3}
!1 = distinct !DICompileUnit(language: DW_LANG_C99, file: !2, producer: "", isOptimized: true, emissionKind: FullDebug)
!2 = !DIFile(filename: "k.cl", directory: ".")
!3 = !DISubroutineType(types: !5)
!4 = distinct !DISubprogram(name: "k", scope: !2, file: !2, line: 1, type: !3, unit: !1, spFlags: DISPFlagDefinition)
!5 = !{null, !6}
!6 = !DIBasicType(name: "int", size: 32, encoding: DW_ATE_signed)
!7 = !DILocation(line: 2, column: 3, scope: !4)
!8 = !DILocation(line: 3, column: 5, scope: !4)
!9 = !DILocalVariable(name: "v", scope: !4, file: !2, line: 1, type: !6)
