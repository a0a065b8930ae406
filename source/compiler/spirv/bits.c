/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Shifts, bitwise operations, bit fields, integer dot products. */
#include <stdio.h>

#include "compiler/spirv/importer.h"

static LLVMValueRef int_operand(importer_t *im, const instruction_t *in, uint32_t index) {
  LLVMValueRef value = operand_value(im, in, index);
  need(im, is_int(LLVMTypeOf(value)) && !is_bool(LLVMTypeOf(value)), "integers are wanted");
  return value;
}

/* The shift may be of another width than what is shifted. A shift by the width or more is undefined, as LLVM has it. */
static LLVMValueRef shift(importer_t *im, const instruction_t *in, uint32_t opcode) {
  LLVMValueRef base = int_operand(im, in, 3), count = int_operand(im, in, 4);
  LLVMTypeRef type = LLVMTypeOf(base);
  need(im, same_shape(type, LLVMTypeOf(count)), "base and shift have different numbers of components");
  count = LLVMBuildIntCast2(im->builder, count, type, false, "");
  LLVMValueRef value = LLVMBuildBinOp(im->builder, (LLVMOpcode)opcode, base, count, "");
  bool can_wrap = opcode == LLVMShl && LLVMIsAInstruction(value);
  if (can_wrap && id_decoration(im, in->result, SpvDecorationNoSignedWrap)) LLVMSetNSW(value, true);
  if (can_wrap && id_decoration(im, in->result, SpvDecorationNoUnsignedWrap)) LLVMSetNUW(value, true);
  return value;
}

static LLVMValueRef bitwise(importer_t *im, const instruction_t *in, uint32_t opcode) {
  LLVMValueRef left = operand_value(im, in, 3), right = operand_value(im, in, 4);
  need(im, is_int(LLVMTypeOf(left)), "integers are wanted");
  need_same(im, LLVMTypeOf(left), LLVMTypeOf(right));
  return LLVMBuildBinOp(im->builder, (LLVMOpcode)opcode, left, right, "");
}

static LLVMValueRef bitwise_not(importer_t *im, const instruction_t *in, uint32_t data) {
  (void)data;
  return LLVMBuildNot(im->builder, int_operand(im, in, 3), "");
}

static LLVMValueRef reverse(importer_t *im, const instruction_t *in, uint32_t data) {
  (void)data;
  LLVMValueRef value = int_operand(im, in, 3);
  LLVMTypeRef type = LLVMTypeOf(value);
  return call_intrinsic(im, "llvm.bitreverse", &type, 1, &value, 1);
}

static LLVMValueRef count_ones(importer_t *im, const instruction_t *in, uint32_t data) {
  (void)data;
  LLVMValueRef value = int_operand(im, in, 3);
  LLVMTypeRef type = LLVMTypeOf(value);
  need(im, is_int(result_type(im, in)) && same_shape(type, result_type(im, in)), "integers are wanted");
  LLVMValueRef count = call_intrinsic(im, "llvm.ctpop", &type, 1, &value, 1);
  return LLVMBuildIntCast2(im->builder, count, result_type(im, in), false, "");
}

static LLVMValueRef splat_int(LLVMTypeRef type, LLVMValueRef scalar, importer_t *im) {
  LLVMValueRef vector = LLVMBuildIntCast2(im->builder, scalar, scalar_type(type), false, "");
  if (!is_vector(type)) return vector;
  LLVMValueRef all = LLVMGetPoison(type);
  for (unsigned i = 0; i < vector_size(type); i++) {
    all = LLVMBuildInsertElement(im->builder, all, vector, constant_u32(im, i), "");
  }
  return all;
}

static LLVMValueRef number_operand(importer_t *im, const instruction_t *in, uint32_t index, LLVMTypeRef type) {
  LLVMValueRef value = int_operand(im, in, index);
  need(im, !is_vector(LLVMTypeOf(value)), "offset and count are scalars");
  return splat_int(type, value, im);
}

static LLVMValueRef constant_like(LLVMTypeRef type, uint64_t number) {
  LLVMValueRef scalar = LLVMConstInt(scalar_type(type), number, false), all[16];
  if (!is_vector(type)) return scalar;
  for (unsigned i = 0; i < vector_size(type); i++) all[i] = scalar;
  return LLVMConstVector(all, vector_size(type));
}

/* The lowest `count` bits; none and all of them too. */
static LLVMValueRef low_mask(importer_t *im, LLVMTypeRef type, LLVMValueRef count) {
  LLVMBuilderRef b = im->builder;
  unsigned width = LLVMGetIntTypeWidth(scalar_type(type));
  LLVMValueRef shift = LLVMBuildSub(b, constant_like(type, width), count, "");
  LLVMValueRef is_none = LLVMBuildICmp(b, LLVMIntEQ, count, LLVMConstNull(type), "");
  LLVMValueRef mask = LLVMBuildLShr(b, LLVMConstAllOnes(type), shift, "");
  return LLVMBuildSelect(b, is_none, LLVMConstNull(type), mask, "");
}

static LLVMValueRef insert_field(importer_t *im, const instruction_t *in, uint32_t data) {
  (void)data;
  LLVMBuilderRef b = im->builder;
  LLVMValueRef base = int_operand(im, in, 3), field = int_operand(im, in, 4);
  LLVMTypeRef type = LLVMTypeOf(base);
  need_same(im, type, LLVMTypeOf(field));
  LLVMValueRef offset = number_operand(im, in, 5, type), count = number_operand(im, in, 6, type);
  LLVMValueRef low = low_mask(im, type, count);
  LLVMValueRef mask = LLVMBuildShl(b, low, offset, "");
  LLVMValueRef moved = LLVMBuildShl(b, LLVMBuildAnd(b, field, low, ""), offset, "");
  LLVMValueRef value = LLVMBuildOr(b, LLVMBuildAnd(b, base, LLVMBuildNot(b, mask, ""), ""), moved, "");
  LLVMValueRef is_none = LLVMBuildICmp(b, LLVMIntEQ, count, LLVMConstNull(type), "");
  return LLVMBuildSelect(b, is_none, base, value, ""); /* the offset may be the width then */
}

static LLVMValueRef extract_field(importer_t *im, const instruction_t *in, uint32_t is_signed) {
  LLVMBuilderRef b = im->builder;
  LLVMValueRef base = int_operand(im, in, 3);
  LLVMTypeRef type = LLVMTypeOf(base);
  LLVMValueRef offset = number_operand(im, in, 4, type), count = number_operand(im, in, 5, type);
  LLVMValueRef width = constant_like(type, LLVMGetIntTypeWidth(scalar_type(type)));
  LLVMValueRef rest = LLVMBuildSub(b, width, count, "");
  LLVMValueRef top = LLVMBuildShl(b, base, LLVMBuildSub(b, rest, offset, ""), "");
  LLVMValueRef value = is_signed ? LLVMBuildAShr(b, top, rest, "") : LLVMBuildLShr(b, top, rest, "");
  LLVMValueRef is_none = LLVMBuildICmp(b, LLVMIntEQ, count, LLVMConstNull(type), "");
  return LLVMBuildSelect(b, is_none, LLVMConstNull(type), value, "");
}

enum { dot_left_signed = 1, dot_right_signed = 2, dot_accumulates = 4 };

/* Four bytes packed into 32 bits, or a vector. */
static LLVMValueRef dot_operand(importer_t *im, const instruction_t *in, uint32_t index) {
  LLVMValueRef value = int_operand(im, in, index);
  if (is_vector(LLVMTypeOf(value))) return value;
  need(im, LLVMGetIntTypeWidth(LLVMTypeOf(value)) == 32, "packed operands have 32 bits");
  LLVMTypeRef bytes = LLVMVectorType(LLVMInt8TypeInContext(im->context), 4);
  return LLVMBuildBitCast(im->builder, value, bytes, "");
}

static LLVMValueRef saturating_add(importer_t *im, LLVMValueRef sum, LLVMValueRef accumulator, bool is_signed) {
  LLVMValueRef operands[] = {sum, accumulator};
  LLVMTypeRef type = LLVMTypeOf(accumulator);
  return call_intrinsic(im, is_signed ? "llvm.sadd.sat" : "llvm.uadd.sat", &type, 1, operands, 2);
}

static LLVMValueRef dot(importer_t *im, const instruction_t *in, uint32_t flags) {
  LLVMBuilderRef b = im->builder;
  LLVMValueRef left = dot_operand(im, in, 3), right = dot_operand(im, in, 4);
  LLVMTypeRef type = LLVMTypeOf(left), result = result_type(im, in);
  need_same(im, type, LLVMTypeOf(right));
  need(im, is_int(result) && !is_vector(result), "an integer type is wanted");
  need(im, LLVMGetIntTypeWidth(result) >= LLVMGetIntTypeWidth(scalar_type(type)), "the result is too narrow");
  LLVMTypeRef wide = LLVMVectorType(result, vector_size(type));
  left = LLVMBuildIntCast2(b, left, wide, (flags & dot_left_signed) != 0, "");
  right = LLVMBuildIntCast2(b, right, wide, (flags & dot_right_signed) != 0, "");
  LLVMValueRef products = LLVMBuildMul(b, left, right, "");
  LLVMValueRef sum = call_intrinsic(im, "llvm.vector.reduce.add", &wide, 1, &products, 1);
  if (!(flags & dot_accumulates)) return sum;
  LLVMValueRef accumulator = int_operand(im, in, 5);
  need_same(im, LLVMTypeOf(accumulator), result);
  return saturating_add(im, sum, accumulator, (flags & dot_left_signed) != 0);
}

enum { both_signed = dot_left_signed | dot_right_signed };

static const rule_t table[] = {
    {SpvOpShiftRightLogical, 5, shift, LLVMLShr},
    {SpvOpShiftRightArithmetic, 5, shift, LLVMAShr},
    {SpvOpShiftLeftLogical, 5, shift, LLVMShl},
    {SpvOpBitwiseOr, 5, bitwise, LLVMOr},
    {SpvOpBitwiseXor, 5, bitwise, LLVMXor},
    {SpvOpBitwiseAnd, 5, bitwise, LLVMAnd},
    {SpvOpNot, 4, bitwise_not, 0},
    {SpvOpBitFieldInsert, 7, insert_field, 0},
    {SpvOpBitFieldSExtract, 6, extract_field, true},
    {SpvOpBitFieldUExtract, 6, extract_field, false},
    {SpvOpBitReverse, 4, reverse, 0},
    {SpvOpBitCount, 4, count_ones, 0},
    {SpvOpSDot, 5, dot, both_signed},
    {SpvOpUDot, 5, dot, 0},
    {SpvOpSUDot, 5, dot, dot_left_signed},
    {SpvOpSDotAccSat, 6, dot, both_signed | dot_accumulates},
    {SpvOpUDotAccSat, 6, dot, dot_accumulates},
    {SpvOpSUDotAccSat, 6, dot, dot_left_signed | dot_accumulates},
};
RULES(bit_rules, table);
