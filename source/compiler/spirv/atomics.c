/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Atomic operations. Every scope is the widest one: a CPU's memory is one. */
#include "compiler/spirv/importer.h"

LLVMAtomicOrdering memory_order(importer_t *im, uint32_t semantics_id) {
  uint64_t semantics;
  if (!constant_number_known(im, semantics_id, &semantics)) return LLVMAtomicOrderingSequentiallyConsistent;
  if (semantics & SpvMemorySemanticsSequentiallyConsistentMask) return LLVMAtomicOrderingSequentiallyConsistent;
  if (semantics & SpvMemorySemanticsAcquireReleaseMask) return LLVMAtomicOrderingAcquireRelease;
  bool acquires = semantics & SpvMemorySemanticsAcquireMask, releases = semantics & SpvMemorySemanticsReleaseMask;
  if (acquires && releases) return LLVMAtomicOrderingAcquireRelease;
  if (acquires) return LLVMAtomicOrderingAcquire;
  return releases ? LLVMAtomicOrderingRelease : LLVMAtomicOrderingMonotonic;
}

/* What a load, or a failed exchange, may have: nothing that releases. */
static LLVMAtomicOrdering loading_order(LLVMAtomicOrdering order) {
  if (order == LLVMAtomicOrderingRelease) return LLVMAtomicOrderingMonotonic;
  return order == LLVMAtomicOrderingAcquireRelease ? LLVMAtomicOrderingAcquire : order;
}

static LLVMAtomicOrdering storing_order(LLVMAtomicOrdering order) {
  if (order == LLVMAtomicOrderingAcquire) return LLVMAtomicOrderingMonotonic;
  return order == LLVMAtomicOrderingAcquireRelease ? LLVMAtomicOrderingRelease : order;
}

static void need_atomic_type(importer_t *im, LLVMTypeRef type) {
  bool is_number = !is_vector(type) && !is_bool(type) && (is_int(type) || is_float(type));
  need(im, is_number || is_pointer(type), "atomics are on numbers");
  if (!is_int(type)) return;
  unsigned width = LLVMGetIntTypeWidth(type);
  need(im, width == 8 || width == 16 || width == 32 || width == 64, "atomics of this width are not supported");
}

static unsigned byte_size(importer_t *im, LLVMTypeRef type) { return (unsigned)LLVMABISizeOfType(im->layout, type); }

static LLVMValueRef pointer_at(importer_t *im, const instruction_t *in, uint32_t index) {
  uint32_t pointee;
  return operand_pointer(im, in, index, &pointee);
}

static LLVMValueRef load(importer_t *im, const instruction_t *in, uint32_t data) {
  (void)data;
  LLVMTypeRef type = result_type(im, in);
  need_atomic_type(im, type);
  LLVMValueRef value = LLVMBuildLoad2(im->builder, type, pointer_at(im, in, 3), "");
  LLVMSetOrdering(value, loading_order(memory_order(im, in->words[5])));
  LLVMSetAlignment(value, byte_size(im, type));
  return value;
}

static LLVMValueRef store(importer_t *im, const instruction_t *in, uint32_t data) {
  (void)data;
  LLVMValueRef value = operand_value(im, in, 4);
  need_atomic_type(im, LLVMTypeOf(value));
  LLVMValueRef instruction = LLVMBuildStore(im->builder, value, pointer_at(im, in, 1));
  LLVMSetOrdering(instruction, storing_order(memory_order(im, in->words[3])));
  LLVMSetAlignment(instruction, byte_size(im, LLVMTypeOf(value)));
  return NULL;
}

static LLVMValueRef modify(importer_t *im, const instruction_t *in, LLVMAtomicRMWBinOp operation, LLVMValueRef value) {
  need_atomic_type(im, LLVMTypeOf(value));
  bool is_exchange = operation == LLVMAtomicRMWBinOpXchg;
  bool is_for_floats = operation >= LLVMAtomicRMWBinOpFAdd && operation <= LLVMAtomicRMWBinOpFMin;
  need(im, is_exchange || (is_for_floats ? is_float(LLVMTypeOf(value)) : is_int(LLVMTypeOf(value))),
       "the operand has the wrong type");
  return LLVMBuildAtomicRMW(im->builder, operation, pointer_at(im, in, 3), value, memory_order(im, in->words[5]),
                            false);
}

static LLVMValueRef modify_by_operand(importer_t *im, const instruction_t *in, uint32_t operation) {
  return modify(im, in, (LLVMAtomicRMWBinOp)operation, operand_value(im, in, 6));
}

static LLVMValueRef modify_by_one(importer_t *im, const instruction_t *in, uint32_t operation) {
  LLVMTypeRef type = result_type(im, in);
  need(im, is_int(type) && !is_vector(type), "an integer type is wanted");
  return modify(im, in, (LLVMAtomicRMWBinOp)operation, LLVMConstInt(type, 1, false));
}

static LLVMValueRef compare_exchange(importer_t *im, const instruction_t *in, uint32_t data) {
  (void)data;
  LLVMValueRef value = operand_value(im, in, 7), expected = operand_value(im, in, 8);
  need_same(im, LLVMTypeOf(value), LLVMTypeOf(expected));
  need_atomic_type(im, LLVMTypeOf(value));
  need(im, !is_float(LLVMTypeOf(value)), "only integers are compared and exchanged");
  LLVMAtomicOrdering success = memory_order(im, in->words[5]), failure = loading_order(memory_order(im, in->words[6]));
  LLVMValueRef both =
      LLVMBuildAtomicCmpXchg(im->builder, pointer_at(im, in, 3), expected, value, success, failure, false);
  return LLVMBuildExtractValue(im->builder, both, 0, "");
}

/* A flag is 32 bits that are set when not 0. */
static LLVMValueRef flag_set(importer_t *im, const instruction_t *in, uint32_t data) {
  (void)data;
  LLVMValueRef old = modify(im, in, LLVMAtomicRMWBinOpXchg, constant_u32(im, 1));
  return LLVMBuildICmp(im->builder, LLVMIntNE, old, constant_u32(im, 0), "");
}

static LLVMValueRef flag_clear(importer_t *im, const instruction_t *in, uint32_t data) {
  (void)data;
  LLVMValueRef instruction = LLVMBuildStore(im->builder, constant_u32(im, 0), pointer_at(im, in, 1));
  LLVMSetOrdering(instruction, storing_order(memory_order(im, in->words[3])));
  LLVMSetAlignment(instruction, 4);
  return NULL;
}

static const rule_t table[] = {
    {SpvOpAtomicLoad, 6, load, 0},
    {SpvOpAtomicStore, 5, store, 0},
    {SpvOpAtomicExchange, 7, modify_by_operand, LLVMAtomicRMWBinOpXchg},
    {SpvOpAtomicCompareExchange, 9, compare_exchange, 0},
    {SpvOpAtomicCompareExchangeWeak, 9, compare_exchange, 0},
    {SpvOpAtomicIIncrement, 6, modify_by_one, LLVMAtomicRMWBinOpAdd},
    {SpvOpAtomicIDecrement, 6, modify_by_one, LLVMAtomicRMWBinOpSub},
    {SpvOpAtomicIAdd, 7, modify_by_operand, LLVMAtomicRMWBinOpAdd},
    {SpvOpAtomicISub, 7, modify_by_operand, LLVMAtomicRMWBinOpSub},
    {SpvOpAtomicSMin, 7, modify_by_operand, LLVMAtomicRMWBinOpMin},
    {SpvOpAtomicUMin, 7, modify_by_operand, LLVMAtomicRMWBinOpUMin},
    {SpvOpAtomicSMax, 7, modify_by_operand, LLVMAtomicRMWBinOpMax},
    {SpvOpAtomicUMax, 7, modify_by_operand, LLVMAtomicRMWBinOpUMax},
    {SpvOpAtomicAnd, 7, modify_by_operand, LLVMAtomicRMWBinOpAnd},
    {SpvOpAtomicOr, 7, modify_by_operand, LLVMAtomicRMWBinOpOr},
    {SpvOpAtomicXor, 7, modify_by_operand, LLVMAtomicRMWBinOpXor},
    {SpvOpAtomicFAddEXT, 7, modify_by_operand, LLVMAtomicRMWBinOpFAdd},
    {SpvOpAtomicFMinEXT, 7, modify_by_operand, LLVMAtomicRMWBinOpFMin},
    {SpvOpAtomicFMaxEXT, 7, modify_by_operand, LLVMAtomicRMWBinOpFMax},
    {SpvOpAtomicFlagTestAndSet, 6, flag_set, 0},
    {SpvOpAtomicFlagClear, 4, flag_clear, 0},
};
RULES(atomic_rules, table);
