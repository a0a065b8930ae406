; SPDX-License-Identifier: Apache-2.0
; SPDX-FileCopyrightText: The Quern authors
; A cold function of more than 60 instructions stays a call.
; RUN: %quernc --passes=inline-rare-calls %s | FileCheck %s

; CHECK-LABEL: @caller(
; CHECK: call float @large(
define float @caller(float %x) {
  %y = call float @large(float %x)
  ret float %y
}

define internal float @large(float %x) cold noinline {
  %s0 = fmul float %x, 2.0
  %s1 = fadd float %s0, %x
  %s2 = fadd float %s1, %x
  %s3 = fadd float %s2, %x
  %s4 = fadd float %s3, %x
  %s5 = fadd float %s4, %x
  %s6 = fadd float %s5, %x
  %s7 = fadd float %s6, %x
  %s8 = fadd float %s7, %x
  %s9 = fadd float %s8, %x
  %s10 = fadd float %s9, %x
  %s11 = fadd float %s10, %x
  %s12 = fadd float %s11, %x
  %s13 = fadd float %s12, %x
  %s14 = fadd float %s13, %x
  %s15 = fadd float %s14, %x
  %s16 = fadd float %s15, %x
  %s17 = fadd float %s16, %x
  %s18 = fadd float %s17, %x
  %s19 = fadd float %s18, %x
  %s20 = fadd float %s19, %x
  %s21 = fadd float %s20, %x
  %s22 = fadd float %s21, %x
  %s23 = fadd float %s22, %x
  %s24 = fadd float %s23, %x
  %s25 = fadd float %s24, %x
  %s26 = fadd float %s25, %x
  %s27 = fadd float %s26, %x
  %s28 = fadd float %s27, %x
  %s29 = fadd float %s28, %x
  %s30 = fadd float %s29, %x
  %s31 = fadd float %s30, %x
  %s32 = fadd float %s31, %x
  %s33 = fadd float %s32, %x
  %s34 = fadd float %s33, %x
  %s35 = fadd float %s34, %x
  %s36 = fadd float %s35, %x
  %s37 = fadd float %s36, %x
  %s38 = fadd float %s37, %x
  %s39 = fadd float %s38, %x
  %s40 = fadd float %s39, %x
  %s41 = fadd float %s40, %x
  %s42 = fadd float %s41, %x
  %s43 = fadd float %s42, %x
  %s44 = fadd float %s43, %x
  %s45 = fadd float %s44, %x
  %s46 = fadd float %s45, %x
  %s47 = fadd float %s46, %x
  %s48 = fadd float %s47, %x
  %s49 = fadd float %s48, %x
  %s50 = fadd float %s49, %x
  %s51 = fadd float %s50, %x
  %s52 = fadd float %s51, %x
  %s53 = fadd float %s52, %x
  %s54 = fadd float %s53, %x
  %s55 = fadd float %s54, %x
  %s56 = fadd float %s55, %x
  %s57 = fadd float %s56, %x
  %s58 = fadd float %s57, %x
  %s59 = fadd float %s58, %x
  %s60 = fadd float %s59, %x
  %s61 = fadd float %s60, %x
  %s62 = fadd float %s61, %x
  %s63 = fadd float %s62, %x
  %s64 = fadd float %s63, %x
  %s65 = fadd float %s64, %x
  %s66 = fadd float %s65, %x
  %s67 = fadd float %s66, %x
  %s68 = fadd float %s67, %x
  %s69 = fadd float %s68, %x
  %s70 = fadd float %s69, %x
  %s71 = fadd float %s70, %x
  %s72 = fadd float %s71, %x
  %s73 = fadd float %s72, %x
  %s74 = fadd float %s73, %x
  %s75 = fadd float %s74, %x
  %s76 = fadd float %s75, %x
  %s77 = fadd float %s76, %x
  %s78 = fadd float %s77, %x
  %s79 = fadd float %s78, %x
  %s80 = fadd float %s79, %x
  %s81 = fadd float %s80, %x
  %s82 = fadd float %s81, %x
  %s83 = fadd float %s82, %x
  %s84 = fadd float %s83, %x
  ret float %s84
}
