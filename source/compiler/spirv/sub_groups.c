/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * What a sub-group does together: OpGroup* in its scope, OpGroupNonUniform*, OpSubgroup*. Each is a function of OpenCL
 * C (builtins/sub_group*.cl) on each component of its value. */
#include <stdio.h>
#include <string.h>

#include "compiler/spirv/group_operations.h"

const char *const group_operation_names[group_operation_count] = {
    "add", "min", "max", "mul", "and", "or", "xor", "logical_and", "logical_or", "logical_xor"};

static void need_sub_group(importer_t *im, const instruction_t *in) {
  need(im, constant_number(im, operand_word(im, in, 3)) == SpvScopeSubgroup, "the scope is the sub-group");
}

static LLVMTypeRef uint_type(importer_t *im) { return LLVMInt32TypeInContext(im->context); }

/* A number of a work-item, a distance or a size. */
static LLVMValueRef index_value(importer_t *im, LLVMValueRef value) {
  need(im, is_int(LLVMTypeOf(value)) && !is_vector(LLVMTypeOf(value)), "an integer is wanted");
  return LLVMBuildIntCast2(im->builder, value, uint_type(im), false, "");
}

/* OpenCL C has int where SPIR-V has bool. */
static LLVMValueRef condition_value(importer_t *im, LLVMValueRef value) {
  need(im, LLVMTypeOf(value) == LLVMInt1TypeInContext(im->context), "a bool is wanted");
  return LLVMBuildZExt(im->builder, value, uint_type(im), "");
}

static LLVMValueRef is_true(importer_t *im, LLVMValueRef value) {
  return LLVMBuildICmp(im->builder, LLVMIntNE, value, LLVMConstNull(LLVMTypeOf(value)), "");
}

/* Calls `name` of a value and `count` of `others`, whose types the string `codes` has. */
static LLVMValueRef call(importer_t *im, const char *name, LLVMTypeRef result, LLVMValueRef value, bool is_signed,
                         const LLVMValueRef *others, const char *codes) {
  LLVMValueRef arguments[4] = {value};
  unsigned count = (unsigned)strlen(codes);
  for (unsigned i = 0; i < count; i++) arguments[1 + i] = others[i];
  text_free(&im->symbol);
  text_appendf(&im->symbol, "_Z%zu%s", strlen(name), name);
  mangle_type(im, LLVMTypeOf(value), is_signed, &im->symbol);
  text_append(&im->symbol, codes);
  return call_symbol(im, text_string(&im->symbol), result, arguments, 1 + count);
}

/* Values that move: bools go as bytes. */
static LLVMValueRef call_exchange(importer_t *im, const char *name, LLVMValueRef value, const LLVMValueRef *others,
                                  const char *codes) {
  LLVMTypeRef type = LLVMTypeOf(value);
  need(im, is_int(type) || is_float(type), "numbers are wanted");
  unsigned count = vector_size(type);
  bool are_bools = is_bool(scalar_type(type));
  if (are_bools) {
    LLVMTypeRef bytes = vector_of(LLVMInt8TypeInContext(im->context), count);
    value = LLVMBuildZExt(im->builder, value, bytes, "");
  }
  value = call(im, name, LLVMTypeOf(value), value, true, others, codes);
  return are_bools ? is_true(im, value) : value;
}

LLVMValueRef sub_group_broadcast(importer_t *im, const instruction_t *in) {
  LLVMValueRef place = operand_value(im, in, 5);
  /* The first of several dimensions is all that a sub-group has. */
  if (is_vector(LLVMTypeOf(place))) place = LLVMBuildExtractElement(im->builder, place, constant_u32(im, 0), "");
  LLVMValueRef index = index_value(im, place);
  return call_exchange(im, "sub_group_broadcast", operand_value(im, in, 4), &index, "j");
}

/* Joins what `each` gives for each component. */
static LLVMValueRef combine_component(importer_t *im, LLVMValueRef value, const char *name, bool is_signed,
                                      const LLVMValueRef *size) {
  bool is_logical = is_bool(LLVMTypeOf(value));
  if (is_logical) value = condition_value(im, value);
  value = call(im, name, LLVMTypeOf(value), value, is_signed || is_logical, size, size ? "j" : "");
  return is_logical ? is_true(im, value) : value;
}

LLVMValueRef sub_group_combine(importer_t *im, const instruction_t *in, const char *name, bool is_signed) {
  LLVMValueRef value = operand_value(im, in, 5), cluster = NULL;
  LLVMTypeRef type = LLVMTypeOf(value);
  need_same(im, type, result_type(im, in));
  need(im, is_int(type) || is_float(type), "numbers are wanted");
  if (in->count > 6) cluster = index_value(im, operand_value(im, in, 6));
  const LLVMValueRef *size = cluster ? &cluster : NULL;
  if (!is_vector(type)) return combine_component(im, value, name, is_signed, size);
  LLVMValueRef result = LLVMGetPoison(type);
  for (unsigned i = 0; i < vector_size(type); i++) {
    LLVMValueRef part = LLVMBuildExtractElement(im->builder, value, constant_u32(im, i), "");
    part = combine_component(im, part, name, is_signed, size);
    result = LLVMBuildInsertElement(im->builder, result, part, constant_u32(im, i), "");
  }
  return result;
}

/* OpGroupNonUniformIAdd and so on. Logical operations are of bools, all others of numbers. */
static LLVMValueRef combine(importer_t *im, const instruction_t *in, uint32_t data) {
  static const char *const forms[] = {"non_uniform_reduce", "non_uniform_scan_inclusive", "non_uniform_scan_exclusive",
                                      "clustered_reduce"};
  need_sub_group(im, in);
  uint32_t operation = data & (group_signed - 1);
  need(im, in->words[4] <= SpvGroupOperationClusteredReduce, "the group operation is not supported");
  bool is_clustered = in->words[4] == SpvGroupOperationClusteredReduce;
  need(im, is_clustered == (in->count > 6), "a cluster has a size");
  if (is_clustered) {
    uint64_t size = constant_number(im, in->words[6]);
    need(im, size && !(size & (size - 1)), "the size of a cluster is a power of two");
  }
  bool are_bools = is_bool(scalar_type(LLVMTypeOf(operand_value(im, in, 5))));
  need(im, are_bools == (operation >= group_logical_and), "the operation is not one of this type");
  char name[64];
  snprintf(name, sizeof(name), "sub_group_%s_%s", forms[in->words[4]], group_operation_names[operation]);
  return sub_group_combine(im, in, name, data & group_signed);
}

static LLVMValueRef elect(importer_t *im, const instruction_t *in, uint32_t data) {
  (void)data;
  need_sub_group(im, in);
  return is_true(im, call_symbol(im, "_Z15sub_group_electv", uint_type(im), NULL, 0));
}

/* `data` is where the operand is: the first instructions for votes have no scope. */
static LLVMValueRef vote_all(importer_t *im, const instruction_t *in, uint32_t data) {
  if (data == 4) need_sub_group(im, in);
  LLVMValueRef value = condition_value(im, operand_value(im, in, data));
  return is_true(im, call_symbol(im, "_Z25sub_group_non_uniform_alli", uint_type(im), &value, 1));
}

static LLVMValueRef vote_any(importer_t *im, const instruction_t *in, uint32_t data) {
  if (data == 4) need_sub_group(im, in);
  LLVMValueRef value = condition_value(im, operand_value(im, in, data));
  return is_true(im, call_symbol(im, "_Z25sub_group_non_uniform_anyi", uint_type(im), &value, 1));
}

static LLVMValueRef vote_component(importer_t *im, LLVMValueRef value) {
  if (is_bool(LLVMTypeOf(value))) value = condition_value(im, value);
  return is_true(im, call(im, "sub_group_non_uniform_all_equal", uint_type(im), value, true, NULL, ""));
}

static LLVMValueRef vote_all_equal(importer_t *im, const instruction_t *in, uint32_t data) {
  if (data == 4) need_sub_group(im, in);
  LLVMValueRef value = operand_value(im, in, data);
  LLVMTypeRef type = LLVMTypeOf(value);
  need(im, is_int(type) || is_float(type), "numbers are wanted");
  if (!is_vector(type)) return vote_component(im, value);
  LLVMValueRef all = NULL;
  for (unsigned i = 0; i < vector_size(type); i++) {
    LLVMValueRef part = vote_component(im, LLVMBuildExtractElement(im->builder, value, constant_u32(im, i), ""));
    all = all ? LLVMBuildAnd(im->builder, all, part, "") : part;
  }
  return all;
}

static const struct {
  const char *name, *codes;
} exchanges[] = {
    {"sub_group_non_uniform_broadcast", "j"},
    {"sub_group_broadcast_first", ""},
    {"sub_group_shuffle", "j"},
    {"sub_group_shuffle_xor", "j"},
    {"sub_group_shuffle_up", "j"},
    {"sub_group_shuffle_down", "j"},
    {"sub_group_rotate", "i"},
    {"sub_group_clustered_rotate", "ij"},
};
enum { broadcast, broadcast_first, shuffle, shuffle_xor, shuffle_up, shuffle_down, rotate, clustered_rotate };

/* `place` is where the value is; what else the function takes is behind it. */
static LLVMValueRef build_exchange(importer_t *im, const instruction_t *in, uint32_t which, uint32_t place) {
  LLVMValueRef value = operand_value(im, in, place), others[2];
  need_same(im, LLVMTypeOf(value), result_type(im, in));
  const char *codes = exchanges[which].codes;
  for (uint32_t i = 0; codes[i]; i++) others[i] = index_value(im, operand_value(im, in, place + 1 + i));
  return call_exchange(im, exchanges[which].name, value, others, codes);
}

static LLVMValueRef exchange(importer_t *im, const instruction_t *in, uint32_t data) {
  need_sub_group(im, in);
  if (data == rotate && in->count > 6) data = clustered_rotate;
  return build_exchange(im, in, data, 4);
}

/* Four work-items side by side are a quad. A swap is with the neighbour in x, in y, or across; otherwise all get the
 * value of one of them. */
static LLVMValueRef exchange_in_quad(importer_t *im, const instruction_t *in, uint32_t is_swap) {
  need_sub_group(im, in);
  LLVMValueRef value = operand_value(im, in, 4), place = index_value(im, operand_value(im, in, 5));
  need_same(im, LLVMTypeOf(value), result_type(im, in));
  if (is_swap) {
    LLVMValueRef mask = LLVMBuildAdd(im->builder, place, constant_u32(im, 1), "");
    return call_exchange(im, "sub_group_shuffle_xor", value, &mask, "j");
  }
  LLVMValueRef own = call_symbol(im, "_Z22get_sub_group_local_idv", uint_type(im), NULL, 0);
  LLVMValueRef first = LLVMBuildAnd(im->builder, own, constant_u32(im, ~3u), "");
  LLVMValueRef from = LLVMBuildOr(im->builder, first, place, "");
  return call_exchange(im, "sub_group_shuffle", value, &from, "j");
}

/* Instructions without a scope. */
static LLVMValueRef exchange_unscoped(importer_t *im, const instruction_t *in, uint32_t data) {
  return build_exchange(im, in, data, 3);
}

static LLVMTypeRef ballot_type(importer_t *im) { return vector_of(uint_type(im), 4); }

static LLVMValueRef ballot(importer_t *im, const instruction_t *in, uint32_t data) {
  if (data == 4) need_sub_group(im, in);
  LLVMValueRef value = condition_value(im, operand_value(im, in, data));
  return call_symbol(im, "_Z16sub_group_balloti", ballot_type(im), &value, 1);
}

/* Functions of a ballot, by name. */
static LLVMValueRef call_ballot(importer_t *im, const instruction_t *in, uint32_t place, const char *symbol,
                                LLVMValueRef index) {
  need_sub_group(im, in);
  LLVMValueRef arguments[] = {operand_value(im, in, place), index};
  need_same(im, LLVMTypeOf(arguments[0]), ballot_type(im));
  return call_symbol(im, symbol, uint_type(im), arguments, index ? 2 : 1);
}

static LLVMValueRef inverse_ballot(importer_t *im, const instruction_t *in, uint32_t data) {
  (void)data;
  return is_true(im, call_ballot(im, in, 4, "_Z24sub_group_inverse_ballotDv4_j", NULL));
}

static LLVMValueRef bit_extract(importer_t *im, const instruction_t *in, uint32_t data) {
  (void)data;
  LLVMValueRef index = index_value(im, operand_value(im, in, 5));
  return is_true(im, call_ballot(im, in, 4, "_Z28sub_group_ballot_bit_extractDv4_jj", index));
}

static LLVMValueRef bit_count(importer_t *im, const instruction_t *in, uint32_t data) {
  static const char *const symbols[] = {"_Z26sub_group_ballot_bit_countDv4_j",
                                        "_Z31sub_group_ballot_inclusive_scanDv4_j",
                                        "_Z31sub_group_ballot_exclusive_scanDv4_j"};
  (void)data;
  need(im, in->words[4] <= SpvGroupOperationExclusiveScan, "the group operation is not supported");
  LLVMValueRef count = call_ballot(im, in, 5, symbols[in->words[4]], NULL);
  return LLVMBuildIntCast2(im->builder, count, result_type(im, in), false, "");
}

static LLVMValueRef find_bit(importer_t *im, const instruction_t *in, uint32_t is_last) {
  const char *symbol = is_last ? "_Z25sub_group_ballot_find_msbDv4_j" : "_Z25sub_group_ballot_find_lsbDv4_j";
  LLVMValueRef place = call_ballot(im, in, 4, symbol, NULL);
  return LLVMBuildIntCast2(im->builder, place, result_type(im, in), false, "");
}

/* From two values side by side. */
static LLVMValueRef shuffle_pair(importer_t *im, const instruction_t *in, uint32_t is_down) {
  LLVMValueRef first = operand_value(im, in, 3);
  LLVMValueRef others[] = {operand_value(im, in, 4), index_value(im, operand_value(im, in, 5))};
  LLVMTypeRef type = LLVMTypeOf(first);
  need_same(im, type, result_type(im, in));
  need_same(im, type, LLVMTypeOf(others[0]));
  need(im, (is_int(type) || is_float(type)) && !is_bool(scalar_type(type)), "numbers are wanted");
  /* A vector's second mention is a reference to the first. */
  text_t code = {0};
  if (!is_vector(type)) mangle_type(im, type, true, &code);
  char codes[8];
  snprintf(codes, sizeof(codes), "%sj", is_vector(type) ? "S_" : text_string(&code));
  text_free(&code);
  LLVMValueRef arguments[] = {first, others[0], others[1]};
  const char *name = is_down ? "intel_sub_group_shuffle_down" : "intel_sub_group_shuffle_up";
  text_free(&im->symbol);
  text_appendf(&im->symbol, "_Z%zu%s", strlen(name), name);
  mangle_type(im, type, true, &im->symbol);
  text_append(&im->symbol, codes);
  return call_symbol(im, text_string(&im->symbol), type, arguments, 3);
}

/* The name of a block function: "intel_sub_group_block_read_ui4", of a pointer to global uint. */
static void print_block_symbol(importer_t *im, const char *name, LLVMTypeRef type, bool is_write) {
  unsigned bits = is_int(type) ? LLVMGetIntTypeWidth(scalar_type(type)) : 0, count = vector_size(type);
  const char *element = bits == 8 ? "h" : bits == 16 ? "t" : bits == 32 ? "j" : bits == 64 ? "m" : NULL;
  need(im, element && (count == 1 || count == 2 || count == 4 || count == 8 || count == 16),
       "a block is of integers, or vectors of two, four, eight or sixteen");
  const char *suffix = bits == 8 ? "uc" : bits == 16 ? "us" : bits == 32 ? "ui" : "ul";
  char full[64];
  snprintf(full, sizeof(full), "intel_sub_group_block_%s_%s", name, suffix);
  if (count > 1) snprintf(full + strlen(full), sizeof(full) - strlen(full), "%u", count);
  text_free(&im->symbol);
  text_appendf(&im->symbol, "_Z%zu%sPU3AS1%s%s", strlen(full), full, is_write ? "" : "K", element);
  if (is_write && count > 1) text_appendf(&im->symbol, "Dv%u_", count);
  if (is_write) text_append(&im->symbol, element);
}

static LLVMValueRef block_pointer(importer_t *im, const instruction_t *in, uint32_t index) {
  uint32_t pointee;
  LLVMValueRef pointer = operand_pointer(im, in, index, &pointee);
  need(im, LLVMGetPointerAddressSpace(LLVMTypeOf(pointer)) == space_global, "a block is in global memory");
  return pointer;
}

static LLVMValueRef block_read(importer_t *im, const instruction_t *in, uint32_t data) {
  (void)data;
  LLVMValueRef pointer = block_pointer(im, in, 3);
  print_block_symbol(im, "read", result_type(im, in), false);
  return call_symbol(im, text_string(&im->symbol), result_type(im, in), &pointer, 1);
}

static LLVMValueRef block_write(importer_t *im, const instruction_t *in, uint32_t data) {
  (void)data;
  LLVMValueRef arguments[] = {block_pointer(im, in, 1), operand_value(im, in, 2)};
  print_block_symbol(im, "write", LLVMTypeOf(arguments[1]), true);
  call_symbol(im, text_string(&im->symbol), LLVMVoidTypeInContext(im->context), arguments, 2);
  return NULL;
}

static const rule_t table[] = {
    {SpvOpGroupNonUniformElect, 4, elect, 0},
    {SpvOpGroupNonUniformAll, 5, vote_all, 4},
    {SpvOpGroupNonUniformAny, 5, vote_any, 4},
    {SpvOpGroupNonUniformAllEqual, 5, vote_all_equal, 4},
    {SpvOpSubgroupAllKHR, 4, vote_all, 3},
    {SpvOpSubgroupAnyKHR, 4, vote_any, 3},
    {SpvOpSubgroupAllEqualKHR, 4, vote_all_equal, 3},
    {SpvOpGroupNonUniformBroadcast, 6, exchange, broadcast},
    {SpvOpGroupNonUniformBroadcastFirst, 5, exchange, broadcast_first},
    {SpvOpGroupNonUniformShuffle, 6, exchange, shuffle},
    {SpvOpGroupNonUniformShuffleXor, 6, exchange, shuffle_xor},
    {SpvOpGroupNonUniformShuffleUp, 6, exchange, shuffle_up},
    {SpvOpGroupNonUniformShuffleDown, 6, exchange, shuffle_down},
    {SpvOpGroupNonUniformRotateKHR, 6, exchange, rotate},
    {SpvOpGroupNonUniformQuadBroadcast, 6, exchange_in_quad, false},
    {SpvOpGroupNonUniformQuadSwap, 6, exchange_in_quad, true},
    {SpvOpSubgroupFirstInvocationKHR, 4, exchange_unscoped, broadcast_first},
    {SpvOpSubgroupReadInvocationKHR, 5, exchange_unscoped, broadcast},
    {SpvOpSubgroupShuffleINTEL, 5, exchange_unscoped, shuffle},
    {SpvOpSubgroupShuffleXorINTEL, 5, exchange_unscoped, shuffle_xor},
    {SpvOpSubgroupShuffleDownINTEL, 6, shuffle_pair, true},
    {SpvOpSubgroupShuffleUpINTEL, 6, shuffle_pair, false},
    {SpvOpSubgroupBlockReadINTEL, 4, block_read, 0},
    {SpvOpSubgroupBlockWriteINTEL, 3, block_write, 0},
    {SpvOpGroupNonUniformBallot, 5, ballot, 4},
    {SpvOpSubgroupBallotKHR, 4, ballot, 3},
    {SpvOpGroupNonUniformInverseBallot, 5, inverse_ballot, 0},
    {SpvOpGroupNonUniformBallotBitExtract, 6, bit_extract, 0},
    {SpvOpGroupNonUniformBallotBitCount, 6, bit_count, 0},
    {SpvOpGroupNonUniformBallotFindLSB, 5, find_bit, false},
    {SpvOpGroupNonUniformBallotFindMSB, 5, find_bit, true},
    {SpvOpGroupNonUniformIAdd, 6, combine, group_add},
    {SpvOpGroupNonUniformFAdd, 6, combine, group_add},
    {SpvOpGroupNonUniformIMul, 6, combine, group_mul},
    {SpvOpGroupNonUniformFMul, 6, combine, group_mul},
    {SpvOpGroupNonUniformSMin, 6, combine, group_min | group_signed},
    {SpvOpGroupNonUniformUMin, 6, combine, group_min},
    {SpvOpGroupNonUniformFMin, 6, combine, group_min},
    {SpvOpGroupNonUniformSMax, 6, combine, group_max | group_signed},
    {SpvOpGroupNonUniformUMax, 6, combine, group_max},
    {SpvOpGroupNonUniformFMax, 6, combine, group_max},
    {SpvOpGroupNonUniformBitwiseAnd, 6, combine, group_and},
    {SpvOpGroupNonUniformBitwiseOr, 6, combine, group_or},
    {SpvOpGroupNonUniformBitwiseXor, 6, combine, group_xor},
    {SpvOpGroupNonUniformLogicalAnd, 6, combine, group_logical_and},
    {SpvOpGroupNonUniformLogicalOr, 6, combine, group_logical_or},
    {SpvOpGroupNonUniformLogicalXor, 6, combine, group_logical_xor},
};
RULES(sub_group_rules, table);
