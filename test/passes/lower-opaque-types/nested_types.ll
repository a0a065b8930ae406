; SPDX-License-Identifier: Apache-2.0
; SPDX-FileCopyrightText: The Quern authors
; A type made of more types than the map of types first has room for.
; RUN: %quernc --passes=lower-opaque-types %s | FileCheck %s

%t0 = type { i32, i1, [1 x i8] }
%t2 = type { %t0, i3, [3 x i8] }
%t4 = type { %t2, i5, [5 x i8] }
%t6 = type { %t4, i7, [7 x i8] }
%t8 = type { %t6, i9, [9 x i8] }
%t10 = type { %t8, i11, [11 x i8] }
%t12 = type { %t10, i13, [13 x i8] }
%t14 = type { %t12, i15, [15 x i8] }
%t16 = type { %t14, i17, [17 x i8] }
%t18 = type { %t16, i19, [19 x i8] }
%t20 = type { %t18, i21, [21 x i8] }
%t22 = type { %t20, i23, [23 x i8] }
%t24 = type { %t22, i25, [25 x i8] }
%t26 = type { %t24, i27, [27 x i8] }
%t28 = type { %t26, i29, [29 x i8] }
%t30 = type { %t28, i31, [31 x i8] }
%t32 = type { %t30, i33, [33 x i8] }
%t34 = type { %t32, i35, [35 x i8] }
%t36 = type { %t34, i37, [37 x i8] }
%t38 = type { %t36, i39, [39 x i8] }
%t40 = type { %t38, i41, [41 x i8] }
%t42 = type { %t40, i43, [43 x i8] }
%t44 = type { %t42, i45, [45 x i8] }
%t46 = type { %t44, i47, [47 x i8] }
%t48 = type { %t46, i49, [49 x i8] }
%t50 = type { %t48, i51, [51 x i8] }
%t52 = type { %t50, i53, [53 x i8] }
%t54 = type { %t52, i55, [55 x i8] }
%t56 = type { %t54, i57, [57 x i8] }
%t58 = type { %t56, i59, [59 x i8] }

; CHECK-LABEL: define void @nested(i32 %{{[0-9]+}})
; CHECK: alloca %t58
define void @nested(target("spirv.Sampler") %sampler) {
  %deep = alloca %t58
  store i32 0, ptr %deep
  ret void
}
