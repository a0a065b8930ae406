/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Arithmetic on integers, floating point and vectors of them. */
#include "compiler/spirv/importer.h"

static void need_result_int(importer_t *im, const instruction_t *in) {
  need(im, is_int(result_type(im, in)) && !is_bool(result_type(im, in)), "an integer type is wanted");
}

static LLVMValueRef operand_of_result(importer_t *im, const instruction_t *in, uint32_t index) {
  LLVMValueRef value = operand_value(im, in, index);
  need_same(im, LLVMTypeOf(value), result_type(im, in));
  return value;
}

static void apply_no_wrap(importer_t *im, uint32_t id, LLVMValueRef value) {
  if (!LLVMIsAInstruction(value)) return;
  if (id_decoration(im, id, SpvDecorationNoSignedWrap)) LLVMSetNSW(value, true);
  if (id_decoration(im, id, SpvDecorationNoUnsignedWrap)) LLVMSetNUW(value, true);
}

static LLVMValueRef int_binary(importer_t *im, const instruction_t *in, uint32_t opcode) {
  need_result_int(im, in);
  LLVMValueRef left = operand_of_result(im, in, 3), right = operand_of_result(im, in, 4);
  LLVMValueRef value = LLVMBuildBinOp(im->builder, (LLVMOpcode)opcode, left, right, "");
  if (opcode == LLVMAdd || opcode == LLVMSub || opcode == LLVMMul) apply_no_wrap(im, in->result, value);
  return value;
}

static LLVMValueRef int_negate(importer_t *im, const instruction_t *in, uint32_t data) {
  (void)data;
  need_result_int(im, in);
  LLVMValueRef value = LLVMBuildNeg(im->builder, operand_of_result(im, in, 3), "");
  apply_no_wrap(im, in->result, value);
  return value;
}

/* The result has the sign of the divisor; LLVM's remainder that of the dividend. */
static LLVMValueRef int_modulo(importer_t *im, const instruction_t *in, uint32_t data) {
  (void)data;
  need_result_int(im, in);
  LLVMBuilderRef b = im->builder;
  LLVMValueRef left = operand_of_result(im, in, 3), right = operand_of_result(im, in, 4);
  LLVMValueRef zero = LLVMConstNull(LLVMTypeOf(left));
  LLVMValueRef rest = LLVMBuildSRem(b, left, right, "");
  LLVMValueRef differs = LLVMBuildICmp(b, LLVMIntSLT, LLVMBuildXor(b, rest, right, ""), zero, "");
  LLVMValueRef is_rest = LLVMBuildICmp(b, LLVMIntNE, rest, zero, "");
  return LLVMBuildSelect(b, LLVMBuildAnd(b, differs, is_rest, ""), LLVMBuildAdd(b, rest, right, ""), rest, "");
}

void apply_fast_math(importer_t *im, uint32_t id, LLVMValueRef value) {
  if (!LLVMIsAInstruction(value) || !LLVMCanValueUseFastMathFlags(value)) return;
  const decoration_t *mode = id_decoration(im, id, SpvDecorationFPFastMathMode);
  uint32_t bits = mode ? mode->operands[0] : 0;
  unsigned flags = LLVMFastMathNone;
  if (im->contraction && !id_decoration(im, id, SpvDecorationNoContraction)) flags |= LLVMFastMathAllowContract;
  if (bits & SpvFPFastMathModeNotNaNMask) flags |= LLVMFastMathNoNaNs;
  if (bits & SpvFPFastMathModeNotInfMask) flags |= LLVMFastMathNoInfs;
  if (bits & SpvFPFastMathModeNSZMask) flags |= LLVMFastMathNoSignedZeros;
  if (bits & SpvFPFastMathModeAllowRecipMask) flags |= LLVMFastMathAllowReciprocal;
  if (bits & SpvFPFastMathModeAllowContractFastINTELMask) flags |= LLVMFastMathAllowContract;
  if (bits & SpvFPFastMathModeAllowReassocINTELMask) flags |= LLVMFastMathAllowReassoc;
  if (bits & SpvFPFastMathModeFastMask) flags |= LLVMFastMathAll;
  LLVMSetFastMathFlags(value, flags);
}

static LLVMValueRef float_binary(importer_t *im, const instruction_t *in, uint32_t opcode) {
  need(im, is_float(result_type(im, in)), "a floating-point type is wanted");
  LLVMValueRef left = operand_of_result(im, in, 3), right = operand_of_result(im, in, 4);
  LLVMValueRef value = LLVMBuildBinOp(im->builder, (LLVMOpcode)opcode, left, right, "");
  apply_fast_math(im, in->result, value);
  return value;
}

/* As Clang says it of OpenCL C: a quotient of floats may be off by 2.5 ulp (OpenCL SPIR-V environment, relative error
 * as ulps) unless the program is built with -cl-fp32-correctly-rounded-divide-sqrt. */
static LLVMValueRef float_divide(importer_t *im, const instruction_t *in, uint32_t data) {
  (void)data;
  LLVMValueRef value = float_binary(im, in, LLVMFDiv);
  bool is_of_floats = LLVMGetTypeKind(scalar_type(LLVMTypeOf(value))) == LLVMFloatTypeKind;
  if (im->input->exact_division || !is_of_floats || !LLVMIsAInstruction(value)) return value;
  LLVMMetadataRef accuracy = LLVMValueAsMetadata(LLVMConstReal(LLVMFloatTypeInContext(im->context), 2.5));
  LLVMMetadataRef node = LLVMMDNodeInContext2(im->context, &accuracy, 1);
  LLVMSetMetadata(value, LLVMGetMDKindIDInContext(im->context, "fpmath", 6), LLVMMetadataAsValue(im->context, node));
  return value;
}

static LLVMValueRef float_negate(importer_t *im, const instruction_t *in, uint32_t data) {
  (void)data;
  need(im, is_float(result_type(im, in)), "a floating-point type is wanted");
  LLVMValueRef value = LLVMBuildFNeg(im->builder, operand_of_result(im, in, 3), "");
  apply_fast_math(im, in->result, value);
  return value;
}

/* Outside of functions LLVM folds it. */
static LLVMValueRef float_remainder(importer_t *im, const instruction_t *in, uint32_t data) {
  (void)data;
  need(im, is_float(result_type(im, in)), "a floating-point type is wanted");
  LLVMValueRef left = operand_of_result(im, in, 3), right = operand_of_result(im, in, 4);
  if (im->scratch) return LLVMBuildFRem(im->builder, left, right, "");
  argument_t arguments[] = {argument_of(left, in->type, argument_plain), argument_of(right, in->type, argument_plain)};
  return call_builtin(im, "fmod", result_type(im, in), arguments, 2);
}

/* As fmod, with the sign of the divisor. */
static LLVMValueRef float_modulo(importer_t *im, const instruction_t *in, uint32_t data) {
  LLVMBuilderRef b = im->builder;
  LLVMValueRef rest = float_remainder(im, in, data), right = operand_value(im, in, 4);
  LLVMValueRef zero = LLVMConstNull(LLVMTypeOf(rest));
  LLVMValueRef rest_is_negative = LLVMBuildFCmp(b, LLVMRealOLT, rest, zero, "");
  LLVMValueRef right_is_negative = LLVMBuildFCmp(b, LLVMRealOLT, right, zero, "");
  LLVMValueRef differs = LLVMBuildXor(b, rest_is_negative, right_is_negative, "");
  LLVMValueRef is_rest = LLVMBuildFCmp(b, LLVMRealONE, rest, zero, "");
  return LLVMBuildSelect(b, LLVMBuildAnd(b, differs, is_rest, ""), LLVMBuildFAdd(b, rest, right, ""), rest, "");
}

/* Both parts of the result as a struct of two members. */
static LLVMValueRef make_pair(importer_t *im, const instruction_t *in, LLVMValueRef low, LLVMValueRef high) {
  LLVMTypeRef type = result_type(im, in);
  bool is_pair = LLVMGetTypeKind(type) == LLVMStructTypeKind && LLVMCountStructElementTypes(type) == 2;
  need(im, is_pair, "the result is a struct of two members");
  need_same(im, LLVMStructGetTypeAtIndex(type, 0), LLVMTypeOf(low));
  need_same(im, LLVMStructGetTypeAtIndex(type, 1), LLVMTypeOf(high));
  LLVMValueRef pair = LLVMBuildInsertValue(im->builder, LLVMGetPoison(type), low, 0, "");
  return LLVMBuildInsertValue(im->builder, pair, high, 1, "");
}

static LLVMValueRef same_operands(importer_t *im, const instruction_t *in, LLVMValueRef *right) {
  LLVMValueRef left = operand_value(im, in, 3);
  *right = operand_value(im, in, 4);
  need_same(im, LLVMTypeOf(left), LLVMTypeOf(*right));
  need(im, is_int(LLVMTypeOf(left)) && !is_bool(LLVMTypeOf(left)), "integers are wanted");
  return left;
}

/* The second member is the carry, 0 or 1. */
static LLVMValueRef with_carry(importer_t *im, const instruction_t *in, uint32_t is_subtraction) {
  LLVMValueRef operands[2];
  operands[0] = same_operands(im, in, &operands[1]);
  LLVMTypeRef type = LLVMTypeOf(operands[0]);
  const char *name = is_subtraction ? "llvm.usub.with.overflow" : "llvm.uadd.with.overflow";
  LLVMValueRef both = call_intrinsic(im, name, &type, 1, operands, 2);
  LLVMValueRef carry = LLVMBuildZExt(im->builder, LLVMBuildExtractValue(im->builder, both, 1, ""), type, "");
  return make_pair(im, in, LLVMBuildExtractValue(im->builder, both, 0, ""), carry);
}

static LLVMValueRef multiply_extended(importer_t *im, const instruction_t *in, uint32_t is_signed) {
  LLVMBuilderRef b = im->builder;
  LLVMValueRef right, left = same_operands(im, in, &right);
  LLVMTypeRef type = LLVMTypeOf(left);
  unsigned width = LLVMGetIntTypeWidth(scalar_type(type));
  LLVMTypeRef wide = vector_like(type, LLVMIntTypeInContext(im->context, 2 * width));
  LLVMOpcode extend = is_signed ? LLVMSExt : LLVMZExt;
  left = LLVMBuildCast(b, extend, left, wide, "");
  right = LLVMBuildCast(b, extend, right, wide, "");
  LLVMValueRef product = LLVMBuildMul(b, left, right, "");
  LLVMValueRef shift = LLVMConstInt(scalar_type(wide), width, false);
  if (is_vector(wide)) {
    LLVMValueRef all[16];
    for (unsigned i = 0; i < vector_size(wide); i++) all[i] = shift;
    shift = LLVMConstVector(all, vector_size(wide));
  }
  LLVMValueRef high = LLVMBuildTrunc(b, LLVMBuildLShr(b, product, shift, ""), type, "");
  return make_pair(im, in, LLVMBuildTrunc(b, product, type, ""), high);
}

static LLVMValueRef splat(importer_t *im, LLVMValueRef scalar, unsigned count) {
  LLVMTypeRef type = LLVMVectorType(LLVMTypeOf(scalar), count);
  LLVMValueRef first = LLVMBuildInsertElement(im->builder, LLVMGetPoison(type), scalar, constant_u32(im, 0), "");
  LLVMTypeRef mask = LLVMVectorType(LLVMInt32TypeInContext(im->context), count);
  return LLVMBuildShuffleVector(im->builder, first, LLVMGetPoison(type), LLVMConstNull(mask), "");
}

static LLVMValueRef vector_times_scalar(importer_t *im, const instruction_t *in, uint32_t data) {
  (void)data;
  LLVMValueRef vector = operand_of_result(im, in, 3), scalar = operand_value(im, in, 4);
  need(im, is_vector(LLVMTypeOf(vector)) && is_float(LLVMTypeOf(vector)), "a vector of floating point is wanted");
  need_same(im, LLVMGetElementType(LLVMTypeOf(vector)), LLVMTypeOf(scalar));
  LLVMValueRef all = splat(im, scalar, vector_size(LLVMTypeOf(vector)));
  LLVMValueRef value = LLVMBuildFMul(im->builder, vector, all, "");
  apply_fast_math(im, in->result, value);
  return value;
}

/* As the builtin computes it, which the mode ContractionOff has nothing to say of: it is one operation. */
static LLVMValueRef dot(importer_t *im, const instruction_t *in, uint32_t data) {
  (void)data;
  LLVMBuilderRef b = im->builder;
  LLVMValueRef left = operand_value(im, in, 3), right = operand_value(im, in, 4);
  LLVMTypeRef type = LLVMTypeOf(left);
  need(im, is_vector(type) && is_float(type), "vectors of floating point are wanted");
  need_same(im, type, LLVMTypeOf(right));
  need_same(im, LLVMGetElementType(type), result_type(im, in));
  bool is_fused = !id_decoration(im, in->result, SpvDecorationNoContraction);
  LLVMValueRef sum = NULL;
  for (unsigned i = 0; i < vector_size(type); i++) {
    LLVMValueRef index = constant_u32(im, i);
    LLVMValueRef operands[] = {LLVMBuildExtractElement(b, left, index, ""),
                               LLVMBuildExtractElement(b, right, index, ""), sum};
    LLVMTypeRef element = LLVMTypeOf(operands[0]);
    if (sum && is_fused) {
      sum = call_intrinsic(im, "llvm.fmuladd", &element, 1, operands, 3);
    } else {
      LLVMValueRef product = LLVMBuildFMul(b, operands[0], operands[1], "");
      apply_fast_math(im, in->result, product);
      sum = sum ? LLVMBuildFAdd(b, sum, product, "") : product;
    }
    apply_fast_math(im, in->result, sum);
  }
  return sum;
}

static LLVMValueRef fused_multiply_add(importer_t *im, const instruction_t *in, uint32_t data) {
  (void)data;
  LLVMTypeRef type = result_type(im, in);
  need(im, is_float(type), "a floating-point type is wanted");
  LLVMValueRef operands[3];
  for (uint32_t i = 0; i < 3; i++) operands[i] = operand_of_result(im, in, 3 + i);
  return call_intrinsic(im, "llvm.fma", &type, 1, operands, 3);
}

/* Nothing is reordered beyond it. */
static LLVMValueRef arithmetic_fence(importer_t *im, const instruction_t *in, uint32_t data) {
  (void)data;
  LLVMTypeRef type = result_type(im, in);
  need(im, is_float(type), "a floating-point type is wanted");
  LLVMValueRef value = operand_of_result(im, in, 3);
  return call_intrinsic(im, "llvm.arithmetic.fence", &type, 1, &value, 1);
}

static const rule_t table[] = {
    {SpvOpSNegate, 4, int_negate, 0},
    {SpvOpFNegate, 4, float_negate, 0},
    {SpvOpIAdd, 5, int_binary, LLVMAdd},
    {SpvOpFAdd, 5, float_binary, LLVMFAdd},
    {SpvOpISub, 5, int_binary, LLVMSub},
    {SpvOpFSub, 5, float_binary, LLVMFSub},
    {SpvOpIMul, 5, int_binary, LLVMMul},
    {SpvOpFMul, 5, float_binary, LLVMFMul},
    {SpvOpUDiv, 5, int_binary, LLVMUDiv},
    {SpvOpSDiv, 5, int_binary, LLVMSDiv},
    {SpvOpFDiv, 5, float_divide, 0},
    {SpvOpUMod, 5, int_binary, LLVMURem},
    {SpvOpSRem, 5, int_binary, LLVMSRem},
    {SpvOpSMod, 5, int_modulo, 0},
    {SpvOpFRem, 5, float_remainder, 0},
    {SpvOpFMod, 5, float_modulo, 0},
    {SpvOpVectorTimesScalar, 5, vector_times_scalar, 0},
    {SpvOpDot, 5, dot, 0},
    {SpvOpIAddCarry, 5, with_carry, 0},
    {SpvOpISubBorrow, 5, with_carry, 1},
    {SpvOpUMulExtended, 5, multiply_extended, 0},
    {SpvOpSMulExtended, 5, multiply_extended, 1},
    {(SpvOp)newer_op_fma_khr, 6, fused_multiply_add, 0},
    {(SpvOp)newer_op_arithmetic_fence_ext, 4, arithmetic_fence, 0},
};
RULES(arithmetic_rules, table);
