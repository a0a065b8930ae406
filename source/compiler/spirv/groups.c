/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * What a work-group does together: votes, broadcasts, reductions, scans, copies. */
#include <stdio.h>
#include <string.h>

#include "compiler/spirv/group_operations.h"

/* Functions of the scope begin with this. */
static const char *scope_prefix(importer_t *im, const instruction_t *in, uint32_t index) {
  uint64_t scope = constant_number(im, operand_word(im, in, index));
  need(im, scope == SpvScopeWorkgroup || scope == SpvScopeSubgroup, "the scope is the work-group or the sub-group");
  return scope == SpvScopeSubgroup ? "sub_group" : "work_group";
}

static void need_work_group(importer_t *im, const instruction_t *in, uint32_t index) {
  uint64_t scope = constant_number(im, operand_word(im, in, index));
  need(im, scope == SpvScopeWorkgroup, "the scope is the work-group");
}

/* OpenCL C's votes take and give an int. */
static LLVMValueRef vote(importer_t *im, const instruction_t *in, uint32_t is_all) {
  bool is_sub_group = scope_prefix(im, in, 3)[0] == 's';
  LLVMValueRef value = operand_value(im, in, 4);
  need(im, LLVMTypeOf(value) == LLVMInt1TypeInContext(im->context), "a bool is wanted");
  LLVMTypeRef type = LLVMInt32TypeInContext(im->context);
  value = LLVMBuildZExt(im->builder, value, type, "");
  static const char *const symbols[] = {"_Z14work_group_anyi", "_Z14work_group_alli", "_Z13sub_group_anyi",
                                        "_Z13sub_group_alli"};
  value = call_symbol(im, symbols[2 * is_sub_group + is_all], type, &value, 1);
  return LLVMBuildICmp(im->builder, LLVMIntNE, value, constant_u32(im, 0), "");
}

static LLVMValueRef component(importer_t *im, LLVMValueRef value, unsigned index) {
  if (!is_vector(LLVMTypeOf(value))) return value;
  return LLVMBuildExtractElement(im->builder, value, constant_u32(im, index), "");
}

/* OpenCL C has it for numbers of 32 bits and more, and places of type size_t. The call's arguments are the value and
 * its place. */
static LLVMValueRef broadcast_scalar(importer_t *im, LLVMValueRef *arguments, unsigned count) {
  LLVMTypeRef type = LLVMTypeOf(arguments[0]), word = LLVMInt32TypeInContext(im->context);
  bool is_narrow = is_int(type) && LLVMGetIntTypeWidth(type) < 32;
  if (is_narrow) arguments[0] = LLVMBuildZExt(im->builder, arguments[0], word, "");
  LLVMTypeRef result = LLVMTypeOf(arguments[0]);
  text_free(&im->symbol);
  text_append(&im->symbol, "_Z20work_group_broadcast");
  mangle_type(im, result, false, &im->symbol);
  for (unsigned i = 1; i < count; i++) text_append(&im->symbol, "m");
  LLVMValueRef value = call_symbol(im, text_string(&im->symbol), result, arguments, count);
  return is_narrow ? LLVMBuildTrunc(im->builder, value, type, "") : value;
}

/* The place is an index, or a vector of two or three. */
static LLVMValueRef broadcast(importer_t *im, const instruction_t *in, uint32_t data) {
  (void)data;
  if (scope_prefix(im, in, 3)[0] == 's') return sub_group_broadcast(im, in);
  LLVMValueRef value = operand_value(im, in, 4), place = operand_value(im, in, 5);
  LLVMTypeRef type = LLVMTypeOf(value);
  need_same(im, type, result_type(im, in));
  need(im, is_int(type) || is_float(type), "numbers are wanted");
  unsigned dimensions = vector_size(LLVMTypeOf(place));
  need(im, is_int(LLVMTypeOf(place)) && dimensions <= 3, "the place is an integer for each dimension");
  LLVMValueRef arguments[4] = {NULL}, result = LLVMGetPoison(type);
  for (unsigned i = 0; i < dimensions; i++) {
    LLVMTypeRef size = LLVMInt64TypeInContext(im->context);
    arguments[1 + i] = LLVMBuildIntCast2(im->builder, component(im, place, i), size, false, "");
  }
  for (unsigned i = 0; i < vector_size(type); i++) {
    arguments[0] = component(im, value, i);
    LLVMValueRef part = broadcast_scalar(im, arguments, 1 + dimensions);
    if (!is_vector(type)) return part;
    result = LLVMBuildInsertElement(im->builder, result, part, constant_u32(im, i), "");
  }
  return result;
}

/* OpenCL C's functions of conditions take and give an int. */
static LLVMValueRef combine_conditions(importer_t *im, const instruction_t *in, const char *name) {
  LLVMValueRef value = operand_value(im, in, 5);
  need(im, LLVMTypeOf(value) == LLVMInt1TypeInContext(im->context), "a bool is wanted");
  need_same(im, LLVMTypeOf(value), result_type(im, in));
  LLVMTypeRef type = LLVMInt32TypeInContext(im->context);
  value = LLVMBuildZExt(im->builder, value, type, "");
  char symbol[80];
  snprintf(symbol, sizeof(symbol), "_Z%zu%si", strlen(name), name);
  value = call_symbol(im, symbol, type, &value, 1);
  return LLVMBuildICmp(im->builder, LLVMIntNE, value, constant_u32(im, 0), "");
}

static LLVMValueRef combine(importer_t *im, const instruction_t *in, uint32_t data) {
  static const char *const kinds[] = {"reduce", "scan_inclusive", "scan_exclusive"};
  const char *prefix = scope_prefix(im, in, 3);
  need(im, in->words[4] <= SpvGroupOperationExclusiveScan, "the group operation is not supported");
  char name[64];
  snprintf(name, sizeof(name), "%s_%s_%s", prefix, kinds[in->words[4]],
           group_operation_names[data & (group_signed - 1)]);
  if (prefix[0] == 's') return sub_group_combine(im, in, name, data & group_signed);
  if ((data & (group_signed - 1)) >= group_logical_and) return combine_conditions(im, in, name);
  argument_t argument = argument_at(im, in, 5, data & group_signed ? argument_signed : argument_plain);
  need_same(im, LLVMTypeOf(argument.value), result_type(im, in));
  return call_builtin(im, name, result_type(im, in), &argument, 1);
}

static LLVMValueRef need_size(importer_t *im, LLVMValueRef value) {
  need(im, is_int(LLVMTypeOf(value)) && !is_vector(LLVMTypeOf(value)), "an integer is wanted");
  return LLVMBuildIntCast2(im->builder, value, LLVMInt64TypeInContext(im->context), false, "");
}

/* A type id for size_t: that of the operand, which the addressing model makes 64 bits wide. */
static argument_t size_argument(importer_t *im, const instruction_t *in, uint32_t index) {
  argument_t argument = argument_at(im, in, index, argument_plain);
  LLVMValueRef wide = need_size(im, argument.value);
  if (LLVMTypeOf(argument.value) != LLVMTypeOf(wide)) import_fail(im, "a size has 64 bits");
  return argument;
}

static LLVMValueRef async_copy(importer_t *im, const instruction_t *in, uint32_t data) {
  (void)data;
  need_work_group(im, in, 3);
  uint64_t stride = 0;
  bool is_dense = constant_number_known(im, in->words[7], &stride) && stride == 1;
  argument_t arguments[5] = {argument_at(im, in, 4, argument_plain), argument_at(im, in, 5, argument_const),
                             size_argument(im, in, 6)};
  need(im, is_pointer(LLVMTypeOf(arguments[0].value)) && is_pointer(LLVMTypeOf(arguments[1].value)),
       "pointers are wanted");
  unsigned count = 3;
  if (!is_dense) arguments[count++] = size_argument(im, in, 7);
  arguments[count++] = argument_at(im, in, 8, argument_plain);
  const char *name = is_dense ? "async_work_group_copy" : "async_work_group_strided_copy";
  return call_builtin(im, name, result_type(im, in), arguments, count);
}

static LLVMValueRef wait_events(importer_t *im, const instruction_t *in, uint32_t data) {
  (void)data;
  need_work_group(im, in, 1);
  argument_t arguments[] = {argument_at(im, in, 2, argument_signed), argument_at(im, in, 3, argument_plain)};
  need(im, is_pointer(LLVMTypeOf(arguments[1].value)), "a pointer is wanted");
  call_builtin(im, "wait_group_events", LLVMVoidTypeInContext(im->context), arguments, 2);
  return NULL;
}

static const rule_t table[] = {
    {SpvOpGroupAsyncCopy, 9, async_copy, 0},
    {SpvOpGroupWaitEvents, 4, wait_events, 0},
    {SpvOpGroupAll, 5, vote, true},
    {SpvOpGroupAny, 5, vote, false},
    {SpvOpGroupBroadcast, 6, broadcast, 0},
    {SpvOpGroupIAdd, 6, combine, group_add},
    {SpvOpGroupFAdd, 6, combine, group_add},
    {SpvOpGroupFMin, 6, combine, group_min},
    {SpvOpGroupUMin, 6, combine, group_min},
    {SpvOpGroupSMin, 6, combine, group_min | group_signed},
    {SpvOpGroupFMax, 6, combine, group_max},
    {SpvOpGroupUMax, 6, combine, group_max},
    {SpvOpGroupSMax, 6, combine, group_max | group_signed},
    {SpvOpGroupIMulKHR, 6, combine, group_mul},
    {SpvOpGroupFMulKHR, 6, combine, group_mul},
    {SpvOpGroupBitwiseAndKHR, 6, combine, group_and},
    {SpvOpGroupBitwiseOrKHR, 6, combine, group_or},
    {SpvOpGroupBitwiseXorKHR, 6, combine, group_xor},
    {SpvOpGroupLogicalAndKHR, 6, combine, group_logical_and},
    {SpvOpGroupLogicalOrKHR, 6, combine, group_logical_or},
    {SpvOpGroupLogicalXorKHR, 6, combine, group_logical_xor},
};
RULES(group_rules, table);
