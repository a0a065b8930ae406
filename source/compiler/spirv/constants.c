/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Constants, specialized or not. */
#include <string.h>

#include "compiler/spirv/importer.h"

static LLVMValueRef constant_bool(importer_t *im, const instruction_t *in, uint32_t value) {
  need(im, result_type(im, in) == LLVMInt1TypeInContext(im->context), "a bool is wanted");
  return LLVMConstInt(result_type(im, in), value, false);
}

static LLVMValueRef spec_constant_bool(importer_t *im, const instruction_t *in, uint32_t value) {
  uint64_t given;
  if (specialized_value(im, in->result, 1, &given)) value = given != 0;
  return constant_bool(im, in, value);
}

static LLVMValueRef int_from_words(importer_t *im, const instruction_t *in, LLVMTypeRef type) {
  unsigned words = (LLVMGetIntTypeWidth(type) + 31) / 32;
  uint64_t parts[2] = {0, 0};
  for (unsigned i = 0; i < words; i++) parts[i / 2] |= (uint64_t)operand_word(im, in, i + 3) << (i % 2 * 32);
  return LLVMConstIntOfArbitraryPrecision(type, 2, parts);
}

/* Half, float and double are made from their bits. */
static LLVMValueRef from_bits(importer_t *im, LLVMTypeRef type, unsigned bytes, uint64_t bits) {
  LLVMValueRef number = LLVMConstInt(LLVMIntTypeInContext(im->context, bytes * 8), bits, false);
  return is_int(type) ? LLVMConstInt(type, bits, false) : LLVMConstBitCast(number, type);
}

static LLVMValueRef constant(importer_t *im, const instruction_t *in, uint32_t data) {
  (void)data;
  LLVMTypeRef type = result_type(im, in);
  need(im, !is_vector(type) && !is_bool(type) && (is_int(type) || is_float(type)), "the constant is no number");
  if (is_int(type) && LLVMGetIntTypeWidth(type) > 64) return int_from_words(im, in, type);
  return from_bits(im, type, (unsigned)type_at(im, in->type)->size, read_literal(im, in, 3, in->type));
}

static LLVMValueRef spec_constant(importer_t *im, const instruction_t *in, uint32_t data) {
  LLVMTypeRef type = result_type(im, in);
  unsigned bytes = (unsigned)type_at(im, in->type)->size;
  uint64_t given;
  bool is_given = bytes <= sizeof(given) && specialized_value(im, in->result, bytes, &given);
  LLVMValueRef value = constant(im, in, data);
  return is_given ? from_bits(im, type, bytes, given) : value;
}

static LLVMValueRef constant_at(importer_t *im, uint32_t id) {
  LLVMValueRef value = value_at(im, id);
  if (!LLVMIsConstant(value)) import_fail(im, "%%%u is no constant", id);
  return value;
}

/* The constituents, those of the instructions behind too (SPV_INTEL_long_composites). */
static LLVMValueRef *constituents(importer_t *im, const instruction_t *in, unsigned *out_count) {
  uint32_t more = in->opcode == SpvOpConstantComposite ? SpvOpConstantCompositeContinuedINTEL
                                                       : SpvOpSpecConstantCompositeContinuedINTEL;
  const uint32_t *end = im->words + im->word_count, *words = in->words;
  size_t capacity = 0, count = 0;
  for (const uint32_t *w = words; w == words || (w < end && (w[0] & SpvOpCodeMask) == more);) {
    capacity += w[0] >> SpvWordCountShift;
    w += w[0] >> SpvWordCountShift;
  }
  LLVMValueRef *values = import_alloc(im, capacity, sizeof(LLVMValueRef));
  for (const uint32_t *w = words; w == words || (w < end && (w[0] & SpvOpCodeMask) == more);) {
    uint32_t word_count = w[0] >> SpvWordCountShift;
    for (uint32_t i = w == words ? 3 : 1; i < word_count; i++) values[count++] = constant_at(im, w[i]);
    w += word_count;
  }
  *out_count = (unsigned)count;
  return values;
}

static void need_types(importer_t *im, LLVMValueRef *values, unsigned count, unsigned wanted, LLVMTypeRef type) {
  if (count != wanted) import_fail(im, "%u constituents, not %u", count, wanted);
  for (unsigned i = 0; i < count; i++) need_same(im, LLVMTypeOf(values[i]), type);
}

static LLVMValueRef constant_struct(importer_t *im, LLVMTypeRef type, LLVMValueRef *values, unsigned count) {
  if (count != LLVMCountStructElementTypes(type)) import_fail(im, "the struct has another number of members");
  for (unsigned i = 0; i < count; i++) need_same(im, LLVMTypeOf(values[i]), LLVMStructGetTypeAtIndex(type, i));
  return LLVMConstNamedStruct(type, values, count);
}

static LLVMValueRef constant_composite(importer_t *im, const instruction_t *in, uint32_t data) {
  (void)data;
  LLVMTypeRef type = result_type(im, in);
  unsigned count;
  LLVMValueRef *values = constituents(im, in, &count);
  switch (LLVMGetTypeKind(type)) {
    case LLVMVectorTypeKind:
      need_types(im, values, count, LLVMGetVectorSize(type), LLVMGetElementType(type));
      return LLVMConstVector(values, count);
    case LLVMArrayTypeKind:
      need_types(im, values, count, (unsigned)LLVMGetArrayLength2(type), LLVMGetElementType(type));
      return LLVMConstArray2(LLVMGetElementType(type), values, count);
    case LLVMStructTypeKind: return constant_struct(im, type, values, count);
    default: import_fail(im, "the type is no composite");
  }
}

static LLVMValueRef constant_null(importer_t *im, const instruction_t *in, uint32_t data) {
  (void)data;
  return LLVMConstNull(type_data(im, in->type));
}

static LLVMValueRef undefined(importer_t *im, const instruction_t *in, uint32_t is_poison) {
  LLVMTypeRef type = type_data(im, in->type);
  return is_poison ? LLVMGetPoison(type) : LLVMGetUndef(type);
}

/* Operations that the specification allows on specialization constants (OpSpecConstantOp). */
static bool is_foldable(SpvOp opcode) {
  bool is_arithmetic = opcode >= SpvOpSNegate && opcode <= SpvOpFMod;
  bool is_logical = opcode >= SpvOpLogicalEqual && opcode <= SpvOpSLessThanEqual;
  bool is_bitwise = opcode >= SpvOpShiftRightLogical && opcode <= SpvOpNot;
  bool is_conversion = opcode >= SpvOpConvertFToU && opcode <= SpvOpBitcast && opcode != SpvOpSatConvertSToU &&
                       opcode != SpvOpSatConvertUToS;
  bool is_composite = opcode == SpvOpVectorShuffle || opcode == SpvOpCompositeExtract || opcode == SpvOpCompositeInsert;
  bool is_address = opcode == SpvOpAccessChain || opcode == SpvOpInBoundsAccessChain || opcode == SpvOpPtrAccessChain ||
                    opcode == SpvOpInBoundsPtrAccessChain;
  return is_arithmetic || is_logical || is_bitwise || is_conversion || is_composite || is_address;
}

/* How many of an operation's operands are ids; literals are behind them. */
static uint32_t id_count(SpvOp opcode, uint32_t operands) {
  switch (opcode) {
    case SpvOpCompositeExtract: return 1;
    case SpvOpCompositeInsert:
    case SpvOpVectorShuffle: return 2;
    default: return operands;
  }
}

/* The operation's own instruction, as if it stood in a function; LLVM folds it. */
static LLVMValueRef spec_constant_op(importer_t *im, const instruction_t *in, uint32_t data) {
  (void)data;
  SpvOp opcode = (SpvOp)in->words[3];
  if (!is_foldable(opcode)) import_fail(im, "operation %u is not allowed on constants", (unsigned)opcode);
  uint32_t count = in->count - 1;
  uint32_t *words = import_alloc(im, count, sizeof(*words));
  words[0] = count << SpvWordCountShift | (uint32_t)opcode;
  words[1] = in->type;
  words[2] = in->result;
  memcpy(words + 3, in->words + 4, (in->count - 4) * sizeof(*words));
  for (uint32_t i = 3; i < count && i < 3 + id_count(opcode, count - 3); i++) constant_at(im, words[i]);
  instruction_t operation = read_instruction(words);
  return import_value_of(im, &operation);
}

static LLVMValueRef constant_function_pointer(importer_t *im, const instruction_t *in, uint32_t data) {
  (void)data;
  LLVMValueRef function = function_declare(im, in->words[3]);
  need(im, !id_at(im, in->words[3])->intrinsic, "an intrinsic has no address");
  return function;
}

/* OpenCL C's bits of a sampler, as its front end hands them over. */
static LLVMValueRef constant_sampler(importer_t *im, const instruction_t *in, uint32_t data) {
  (void)data;
  type_of_kind(im, in->type, SpvOpTypeSampler, "a sampler type");
  static const uint32_t addressing[] = {0, 2, 4, 6, 8};
  need(im, in->words[3] <= SpvSamplerAddressingModeRepeatMirrored, "the addressing mode is not one of OpenCL");
  need(im, in->words[4] <= 1 && in->words[5] <= SpvSamplerFilterModeLinear, "the filter mode is not one of OpenCL");
  import_id_t *entry = id_at(im, in->result);
  entry->parts = addressing[in->words[3]] | in->words[4] | (in->words[5] == SpvSamplerFilterModeLinear ? 0x20 : 0x10);
  return LLVMGetPoison(result_type(im, in)); /* whoever uses it calls for one, see operand_sampler */
}

static LLVMValueRef skip(importer_t *im, const instruction_t *in, uint32_t data) {
  (void)im, (void)in, (void)data;
  return NULL;
}

static const rule_t table[] = {
    {SpvOpConstantTrue, 3, constant_bool, 1},
    {SpvOpConstantFalse, 3, constant_bool, 0},
    {SpvOpConstant, 4, constant, 0},
    {SpvOpConstantComposite, 3, constant_composite, 0},
    {SpvOpConstantCompositeContinuedINTEL, 1, skip, 0},
    {SpvOpConstantSampler, 6, constant_sampler, 0},
    {SpvOpConstantNull, 3, constant_null, 0},
    {SpvOpSpecConstantTrue, 3, spec_constant_bool, 1},
    {SpvOpSpecConstantFalse, 3, spec_constant_bool, 0},
    {SpvOpSpecConstant, 4, spec_constant, 0},
    {SpvOpSpecConstantComposite, 3, constant_composite, 0},
    {SpvOpSpecConstantCompositeContinuedINTEL, 1, skip, 0},
    {SpvOpSpecConstantOp, 4, spec_constant_op, 0},
    {SpvOpConstantFunctionPointerINTEL, 4, constant_function_pointer, 0},
    {SpvOpUndef, 3, undefined, 0},
    {(SpvOp)newer_op_poison_khr, 3, undefined, 1},
};
RULES(constant_rules, table);
