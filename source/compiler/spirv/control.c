/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Blocks and control flow, structured or not. */
#include <stdlib.h>

#include "compiler/spirv/importer.h"

static LLVMValueRef label(importer_t *im, const instruction_t *in, uint32_t data) {
  (void)data;
  if (im->block) import_fail(im, "the block before does not end");
  im->block = id_at(im, in->words[1])->llvm.block;
  LLVMPositionBuilderAtEnd(im->builder, im->block);
  return NULL;
}

static LLVMValueRef end_block(importer_t *im) {
  im->block = NULL;
  return NULL;
}

static LLVMValueRef branch(importer_t *im, const instruction_t *in, uint32_t data) {
  (void)data;
  LLVMBuildBr(im->builder, operand_block(im, in, 1));
  return end_block(im);
}

static void set_weights(importer_t *im, LLVMValueRef terminator, const uint32_t *weights) {
  LLVMTypeRef type = LLVMInt32TypeInContext(im->context);
  LLVMMetadataRef parts[] = {
      LLVMMDStringInContext2(im->context, "branch_weights", 14),
      LLVMValueAsMetadata(LLVMConstInt(type, weights[0], false)),
      LLVMValueAsMetadata(LLVMConstInt(type, weights[1], false)),
  };
  LLVMMetadataRef node = LLVMMDNodeInContext2(im->context, parts, 3);
  LLVMSetMetadata(terminator, LLVMGetMDKindIDInContext(im->context, "prof", 4), LLVMMetadataAsValue(im->context, node));
}

static LLVMValueRef branch_conditional(importer_t *im, const instruction_t *in, uint32_t data) {
  (void)data;
  LLVMValueRef condition = operand_value(im, in, 1);
  need(im, LLVMTypeOf(condition) == LLVMInt1TypeInContext(im->context), "a bool is wanted");
  LLVMBasicBlockRef yes = operand_block(im, in, 2), no = operand_block(im, in, 3);
  if (yes == no) {
    LLVMBuildBr(im->builder, yes);
    return end_block(im);
  }
  LLVMValueRef value = LLVMBuildCondBr(im->builder, condition, yes, no);
  bool has_weights = in->count == 6 && (in->words[4] || in->words[5]);
  if (has_weights) set_weights(im, value, in->words + 4);
  return end_block(im);
}

/* Literals are as wide as the selector. */
static LLVMValueRef switch_case(importer_t *im, const instruction_t *in, uint32_t index, LLVMTypeRef type) {
  uint64_t literal = operand_word(im, in, index);
  if (LLVMGetIntTypeWidth(type) > 32) literal |= (uint64_t)operand_word(im, in, index + 1) << 32;
  return LLVMConstInt(type, literal, false);
}

static int compare_numbers(const void *left, const void *right) {
  uint64_t a = *(const uint64_t *)left, b = *(const uint64_t *)right;
  return (a > b) - (a < b);
}

/* A selector has one target. */
static void check_cases(importer_t *im, uint64_t *numbers, size_t count) {
  qsort(numbers, count, sizeof(*numbers), compare_numbers);
  for (size_t i = 1; i < count; i++) {
    if (numbers[i] == numbers[i - 1]) import_fail(im, "case %llu is there twice", (unsigned long long)numbers[i]);
  }
}

static LLVMValueRef switch_on(importer_t *im, const instruction_t *in, uint32_t data) {
  (void)data;
  LLVMValueRef selector = operand_value(im, in, 1);
  LLVMTypeRef type = LLVMTypeOf(selector);
  need(im, is_int(type) && !is_vector(type) && LLVMGetIntTypeWidth(type) <= 64, "the selector is no integer");
  uint32_t step = LLVMGetIntTypeWidth(type) > 32 ? 3 : 2;
  unsigned count = (in->count - 3) / step;
  if ((in->count - 3) % step) import_fail(im, "the last case is not whole");
  uint64_t *numbers = import_alloc(im, count + 1, sizeof(*numbers));
  LLVMBasicBlockRef otherwise = operand_block(im, in, 2);
  LLVMValueRef value = LLVMBuildSwitch(im->builder, selector, otherwise, count);
  for (unsigned i = 0; i < count; i++) {
    LLVMValueRef number = switch_case(im, in, 3 + i * step, type);
    numbers[i] = LLVMConstIntGetZExtValue(number);
    LLVMBasicBlockRef target = operand_block(im, in, 3 + i * step + step - 1);
    if (target != otherwise) LLVMAddCase(value, number, target);
  }
  check_cases(im, numbers, count);
  return end_block(im);
}

static LLVMValueRef phi(importer_t *im, const instruction_t *in, uint32_t data) {
  (void)data;
  LLVMTypeRef type = type_data(im, in->type);
  need(im, in->count % 2 == 1, "a value of a phi has no block");
  LLVMValueRef last = LLVMGetLastInstruction(im->block);
  need(im, !last || LLVMGetInstructionOpcode(last) == LLVMPHI, "phis are the first in a block");
  pending_phi_t *pending = import_alloc(im, 1, sizeof(*pending));
  pending->instruction = *in;
  pending->phi = LLVMBuildPhi(im->builder, type, "");
  pending->next = im->phis;
  im->phis = pending;
  return pending->phi;
}

static LLVMValueRef return_void(importer_t *im, const instruction_t *in, uint32_t data) {
  (void)in, (void)data;
  LLVMTypeRef type = LLVMGetReturnType(LLVMGlobalGetValueType(im->function));
  need(im, LLVMGetTypeKind(type) == LLVMVoidTypeKind, "the function returns a value");
  LLVMBuildRetVoid(im->builder);
  return end_block(im);
}

static LLVMValueRef return_value(importer_t *im, const instruction_t *in, uint32_t data) {
  (void)data;
  LLVMValueRef value = operand_value(im, in, 1);
  need_same(im, LLVMTypeOf(value), LLVMGetReturnType(LLVMGlobalGetValueType(im->function)));
  LLVMBuildRet(im->builder, value);
  return end_block(im);
}

static LLVMValueRef unreachable(importer_t *im, const instruction_t *in, uint32_t data) {
  (void)in, (void)data;
  LLVMBuildUnreachable(im->builder);
  return end_block(im);
}

/* Structure is advice to those who need it. */
static LLVMValueRef merge(importer_t *im, const instruction_t *in, uint32_t data) {
  (void)im, (void)in, (void)data;
  return NULL;
}

static const rule_t table[] = {
    {SpvOpLabel, 2, label, 0},
    {SpvOpBranch, 2, branch, 0},
    {SpvOpBranchConditional, 4, branch_conditional, 0},
    {SpvOpSwitch, 3, switch_on, 0},
    {SpvOpPhi, 3, phi, 0},
    {SpvOpReturn, 1, return_void, 0},
    {SpvOpReturnValue, 2, return_value, 0},
    {SpvOpUnreachable, 1, unreachable, 0},
    {SpvOpLoopMerge, 4, merge, 0},
    {SpvOpSelectionMerge, 3, merge, 0},
    {SpvOpLoopControlINTEL, 1, merge, 0},
};
RULES(control_rules, table);
