; SPDX-License-Identifier: Apache-2.0
; SPDX-FileCopyrightText: The Quern authors
; Under a mask, the bytes of a lane are loaded and stored as one word: processors without byte masks have masks of
; words.
; RUN: %quernc --passes="vectorize-items<width=8>" %s | FileCheck %s

; CHECK-LABEL: @bytes(
; CHECK: %[[WORDS:.*]] = call <8 x i32> @llvm.masked.load.v8i32
; CHECK: bitcast <8 x i32> %[[WORDS]] to <32 x i8>
; CHECK: %[[DEFINED:.*]] = freeze <32 x i8>
; CHECK: %[[STORED:.*]] = bitcast <32 x i8> %[[DEFINED]] to <8 x i32>
; CHECK: call void @llvm.masked.store.v8i32.p0(<8 x i32> %[[STORED]],
define void @bytes(ptr noalias %in, ptr noalias %out, i64 %count) {
entry:
  br label %items
items:
  %item = phi i64 [ 0, %entry ], [ %item.next, %items ]
  %p = getelementptr inbounds <4 x i8>, ptr %in, i64 %item
  %x = load <4 x i8>, ptr %p
  %y = sub <4 x i8> zeroinitializer, %x
  %q = getelementptr inbounds <4 x i8>, ptr %out, i64 %item
  store <4 x i8> %y, ptr %q
  %item.next = add nuw nsw i64 %item, 1
  %more = icmp ult i64 %item.next, %count
  br i1 %more, label %items, label %done, !llvm.loop !0
done:
  ret void
}

!0 = distinct !{!0, !1}
!1 = !{!"quern.item-loop"}
