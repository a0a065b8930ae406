/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Comparisons, logic and selection. */
#include "compiler/spirv/importer.h"

/* Two operands of one type; the result is a bool for each component. */
static LLVMValueRef compared(importer_t *im, const instruction_t *in, LLVMValueRef *right) {
  LLVMValueRef left = operand_value(im, in, 3);
  *right = operand_value(im, in, 4);
  need_same(im, LLVMTypeOf(left), LLVMTypeOf(*right));
  return left;
}

static LLVMValueRef compare_ints(importer_t *im, const instruction_t *in, uint32_t predicate) {
  LLVMValueRef right, left = compared(im, in, &right);
  bool is_address = LLVMGetTypeKind(scalar_type(LLVMTypeOf(left))) == LLVMPointerTypeKind;
  need(im, is_int(LLVMTypeOf(left)) || is_address, "integers are wanted");
  return LLVMBuildICmp(im->builder, (LLVMIntPredicate)predicate, left, right, "");
}

static LLVMValueRef compare_floats(importer_t *im, const instruction_t *in, uint32_t predicate) {
  LLVMValueRef right, left = compared(im, in, &right);
  need(im, is_float(LLVMTypeOf(left)), "floating point is wanted");
  LLVMValueRef value = LLVMBuildFCmp(im->builder, (LLVMRealPredicate)predicate, left, right, "");
  apply_fast_math(im, in->result, value);
  return value;
}

enum { float_nan = 0x3, float_infinite = 0x204, float_finite = 0x1f8, float_normal = 0x108 };

static LLVMValueRef classify(importer_t *im, const instruction_t *in, uint32_t classes) {
  LLVMValueRef arguments[] = {operand_value(im, in, 3), constant_u32(im, classes)};
  LLVMTypeRef type = LLVMTypeOf(arguments[0]);
  need(im, is_float(type), "floating point is wanted");
  return call_intrinsic(im, "llvm.is.fpclass", &type, 1, arguments, 2);
}

static LLVMValueRef sign_bit(importer_t *im, const instruction_t *in, uint32_t data) {
  (void)data;
  LLVMValueRef value = operand_value(im, in, 3);
  LLVMTypeRef type = LLVMTypeOf(value);
  need(im, is_float(type), "floating point is wanted");
  unsigned width = LLVMGetTypeKind(scalar_type(type)) == LLVMDoubleTypeKind  ? 64
                   : LLVMGetTypeKind(scalar_type(type)) == LLVMFloatTypeKind ? 32
                                                                             : 16;
  LLVMTypeRef bits = vector_like(type, LLVMIntTypeInContext(im->context, width));
  return LLVMBuildICmp(im->builder, LLVMIntSLT, LLVMBuildBitCast(im->builder, value, bits, ""), LLVMConstNull(bits),
                       "");
}

static LLVMValueRef logical(importer_t *im, const instruction_t *in, uint32_t opcode) {
  LLVMValueRef right, left = compared(im, in, &right);
  need(im, is_bool(LLVMTypeOf(left)), "bools are wanted");
  return LLVMBuildBinOp(im->builder, (LLVMOpcode)opcode, left, right, "");
}

static LLVMValueRef logical_equal(importer_t *im, const instruction_t *in, uint32_t predicate) {
  LLVMValueRef right, left = compared(im, in, &right);
  need(im, is_bool(LLVMTypeOf(left)), "bools are wanted");
  return LLVMBuildICmp(im->builder, (LLVMIntPredicate)predicate, left, right, "");
}

static LLVMValueRef logical_not(importer_t *im, const instruction_t *in, uint32_t data) {
  (void)data;
  LLVMValueRef value = operand_value(im, in, 3);
  need(im, is_bool(LLVMTypeOf(value)), "bools are wanted");
  return LLVMBuildNot(im->builder, value, "");
}

/* Clang 22 writes the call of any(int4) with its integers, whose highest bits then count. */
static LLVMValueRef reduce(importer_t *im, const instruction_t *in, uint32_t is_all) {
  LLVMValueRef value = operand_value(im, in, 3);
  need(im, is_int(LLVMTypeOf(value)), "a vector of bools is wanted");
  if (!is_bool(LLVMTypeOf(value))) {
    value = LLVMBuildICmp(im->builder, LLVMIntSLT, value, LLVMConstNull(LLVMTypeOf(value)), "");
  }
  LLVMTypeRef type = LLVMTypeOf(value);
  if (!is_vector(type)) return value;
  return call_intrinsic(im, is_all ? "llvm.vector.reduce.and" : "llvm.vector.reduce.or", &type, 1, &value, 1);
}

/* Since 1.4 a scalar condition may choose between composites. */
static LLVMValueRef choose(importer_t *im, const instruction_t *in, uint32_t data) {
  (void)data;
  LLVMValueRef condition = operand_value(im, in, 3), yes = operand_value(im, in, 4), no = operand_value(im, in, 5);
  LLVMTypeRef type = LLVMTypeOf(yes), condition_type = LLVMTypeOf(condition);
  need_same(im, type, LLVMTypeOf(no));
  need(im, is_bool(condition_type), "the condition is a bool");
  bool fits = !is_vector(condition_type) || (is_vector(type) && vector_size(condition_type) == vector_size(type));
  need(im, fits, "condition and values have different numbers of components");
  need(im, LLVMGetTypeKind(type) != LLVMTargetExtTypeKind, "values of this type cannot be selected");
  return LLVMBuildSelect(im->builder, condition, yes, no, "");
}

static LLVMValueRef pointer_difference(importer_t *im, const instruction_t *in, uint32_t data) {
  (void)data;
  LLVMValueRef right, left = compared(im, in, &right);
  need(im, is_pointer(LLVMTypeOf(left)), "pointers are wanted");
  need(im, is_int(result_type(im, in)) && !is_vector(result_type(im, in)), "an integer type is wanted");
  LLVMTypeRef element = type_data(im, type_pointee(im, operand_type(im, in, 3)));
  need(im, type_at(im, type_pointee(im, operand_type(im, in, 3)))->size > 0, "the elements have no size");
  LLVMValueRef value = LLVMBuildPtrDiff2(im->builder, element, left, right, "");
  return LLVMBuildIntCast2(im->builder, value, result_type(im, in), true, "");
}

static const rule_t table[] = {
    {SpvOpAny, 4, reduce, 0},
    {SpvOpAll, 4, reduce, 1},
    {SpvOpIsNan, 4, classify, float_nan},
    {SpvOpIsInf, 4, classify, float_infinite},
    {SpvOpIsFinite, 4, classify, float_finite},
    {SpvOpIsNormal, 4, classify, float_normal},
    {SpvOpSignBitSet, 4, sign_bit, 0},
    {SpvOpLessOrGreater, 5, compare_floats, LLVMRealONE},
    {SpvOpOrdered, 5, compare_floats, LLVMRealORD},
    {SpvOpUnordered, 5, compare_floats, LLVMRealUNO},
    {SpvOpLogicalEqual, 5, logical_equal, LLVMIntEQ},
    {SpvOpLogicalNotEqual, 5, logical_equal, LLVMIntNE},
    {SpvOpLogicalOr, 5, logical, LLVMOr},
    {SpvOpLogicalAnd, 5, logical, LLVMAnd},
    {SpvOpLogicalNot, 4, logical_not, 0},
    {SpvOpSelect, 6, choose, 0},
    {SpvOpIEqual, 5, compare_ints, LLVMIntEQ},
    {SpvOpINotEqual, 5, compare_ints, LLVMIntNE},
    {SpvOpUGreaterThan, 5, compare_ints, LLVMIntUGT},
    {SpvOpSGreaterThan, 5, compare_ints, LLVMIntSGT},
    {SpvOpUGreaterThanEqual, 5, compare_ints, LLVMIntUGE},
    {SpvOpSGreaterThanEqual, 5, compare_ints, LLVMIntSGE},
    {SpvOpULessThan, 5, compare_ints, LLVMIntULT},
    {SpvOpSLessThan, 5, compare_ints, LLVMIntSLT},
    {SpvOpULessThanEqual, 5, compare_ints, LLVMIntULE},
    {SpvOpSLessThanEqual, 5, compare_ints, LLVMIntSLE},
    {SpvOpFOrdEqual, 5, compare_floats, LLVMRealOEQ},
    {SpvOpFUnordEqual, 5, compare_floats, LLVMRealUEQ},
    {SpvOpFOrdNotEqual, 5, compare_floats, LLVMRealONE},
    {SpvOpFUnordNotEqual, 5, compare_floats, LLVMRealUNE},
    {SpvOpFOrdLessThan, 5, compare_floats, LLVMRealOLT},
    {SpvOpFUnordLessThan, 5, compare_floats, LLVMRealULT},
    {SpvOpFOrdGreaterThan, 5, compare_floats, LLVMRealOGT},
    {SpvOpFUnordGreaterThan, 5, compare_floats, LLVMRealUGT},
    {SpvOpFOrdLessThanEqual, 5, compare_floats, LLVMRealOLE},
    {SpvOpFUnordLessThanEqual, 5, compare_floats, LLVMRealULE},
    {SpvOpFOrdGreaterThanEqual, 5, compare_floats, LLVMRealOGE},
    {SpvOpFUnordGreaterThanEqual, 5, compare_floats, LLVMRealUGE},
    {SpvOpPtrEqual, 5, compare_ints, LLVMIntEQ},
    {SpvOpPtrNotEqual, 5, compare_ints, LLVMIntNE},
    {SpvOpPtrDiff, 5, pointer_difference, 0},
};
RULES(relational_rules, table);
