/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Barriers and fences. */
#include "compiler/spirv/importer.h"

/* OpenCL C's flags: local 1, global 2, image 4. */
static uint32_t fence_flags(importer_t *im, uint32_t semantics_id) {
  uint64_t semantics;
  if (!constant_number_known(im, semantics_id, &semantics)) return 7;
  uint32_t flags = 0;
  if (semantics & SpvMemorySemanticsWorkgroupMemoryMask) flags |= 1;
  if (semantics & SpvMemorySemanticsCrossWorkgroupMemoryMask) flags |= 2;
  if (semantics & SpvMemorySemanticsImageMemoryMask) flags |= 4;
  return flags;
}

static void build_fence(importer_t *im, uint32_t scope_id, uint32_t semantics_id) {
  LLVMAtomicOrdering order = memory_order(im, semantics_id);
  uint64_t scope;
  bool is_narrow = constant_number_known(im, scope_id, &scope) && scope >= SpvScopeWorkgroup;
  if (order == LLVMAtomicOrderingMonotonic) return;
  /* Within a work-group nobody asks for one total order. */
  if (is_narrow && order == LLVMAtomicOrderingSequentiallyConsistent) order = LLVMAtomicOrderingAcquireRelease;
  LLVMBuildFence(im->builder, order, false, "");
}

static LLVMValueRef memory_barrier(importer_t *im, const instruction_t *in, uint32_t data) {
  (void)data;
  need(im, is_int(LLVMTypeOf(operand_value(im, in, 1))) && is_int(LLVMTypeOf(operand_value(im, in, 2))),
       "scope and semantics are integers");
  build_fence(im, in->words[1], in->words[2]);
  return NULL;
}

static void build_barrier(importer_t *im, bool of_sub_group, uint32_t flags) {
  LLVMValueRef argument = constant_u32(im, flags);
  const char *symbol = of_sub_group ? "_Z17sub_group_barrierj" : "_Z7barrierj";
  call_symbol(im, symbol, LLVMVoidTypeInContext(im->context), &argument, 1);
}

/* `half`: 0 a whole barrier, 1 its first half, 2 its second. The first is a fence, and the second the barrier: it holds
 * up more than it must, and all that was written before the first half is there behind it. */
static LLVMValueRef control_barrier(importer_t *im, const instruction_t *in, uint32_t half) {
  uint64_t scope = constant_number(im, in->words[1]);
  operand_value(im, in, 2);
  operand_value(im, in, 3);
  need(im, scope == SpvScopeWorkgroup || scope == SpvScopeSubgroup || scope == SpvScopeInvocation,
       "the scope of a barrier is the work-group or the sub-group");
  uint64_t memory_scope;
  bool is_wide = constant_number_known(im, in->words[2], &memory_scope) && memory_scope < SpvScopeWorkgroup;
  if (is_wide || half == 1 || scope == SpvScopeInvocation) build_fence(im, in->words[2], in->words[3]);
  if (half != 1 && scope != SpvScopeInvocation) {
    build_barrier(im, scope == SpvScopeSubgroup, fence_flags(im, in->words[3]));
  }
  return NULL;
}

static const rule_t table[] = {
    {SpvOpControlBarrier, 4, control_barrier, 0},
    {SpvOpControlBarrierArriveINTEL, 4, control_barrier, 1},
    {SpvOpControlBarrierWaitINTEL, 4, control_barrier, 2},
    {SpvOpMemoryBarrier, 3, memory_barrier, 0},
};
RULES(barrier_rules, table);
