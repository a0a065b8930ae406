/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Conversions between numbers, pointers and bits. */
#include <stdio.h>

#include "compiler/spirv/importer.h"

static void need_shape(importer_t *im, LLVMTypeRef a, LLVMTypeRef b) {
  need(im, same_shape(a, b), "operand and result have different numbers of components");
}

/* "_sat" and "_rte" as in OpenCL C's conversion functions. */
static const char *rounding_suffix(importer_t *im, uint32_t id) {
  const decoration_t *mode = id_decoration(im, id, SpvDecorationFPRoundingMode);
  if (!mode) return "";
  switch (mode->operands[0]) {
    case SpvFPRoundingModeRTE: return "_rte";
    case SpvFPRoundingModeRTZ: return "_rtz";
    case SpvFPRoundingModeRTP: return "_rtp";
    case SpvFPRoundingModeRTN: return "_rtn";
    default: import_fail(im, "rounding mode %u is not known", mode->operands[0]);
  }
}

/* OpenCL C's name of a scalar type; fails for what it has not. */
static const char *c_name(importer_t *im, LLVMTypeRef type, bool is_signed) {
  switch (LLVMGetTypeKind(type)) {
    case LLVMHalfTypeKind: return "half";
    case LLVMFloatTypeKind: return "float";
    case LLVMDoubleTypeKind: return "double";
    default: break;
  }
  switch (is_int(type) ? LLVMGetIntTypeWidth(type) : 0) {
    case 8: return is_signed ? "char" : "uchar";
    case 16: return is_signed ? "short" : "ushort";
    case 32: return is_signed ? "int" : "uint";
    case 64: return is_signed ? "long" : "ulong";
    default: import_fail(im, "a conversion of this type with rounding or saturation is not supported");
  }
}

/* Rounding and saturation are what the builtins do. */
static LLVMValueRef convert_by_builtin(importer_t *im, const instruction_t *in, bool from_signed, bool to_signed,
                                       bool saturates) {
  LLVMTypeRef type = result_type(im, in);
  char name[64], count[8] = "";
  if (im->scratch) import_fail(im, "rounding or saturation of a constant is not supported");
  if (is_vector(type)) snprintf(count, sizeof(count), "%u", vector_size(type));
  bool needs_mode = is_int(type) && !is_float(LLVMTypeOf(operand_value(im, in, 3)));
  snprintf(name, sizeof(name), "convert_%s%s%s%s", c_name(im, scalar_type(type), to_signed), count,
           saturates ? "_sat" : "", needs_mode ? "" : rounding_suffix(im, in->result));
  argument_t argument = argument_at(im, in, 3, from_signed ? argument_signed : argument_plain);
  return call_builtin(im, name, type, &argument, 1);
}

static bool is_special(importer_t *im, uint32_t id) {
  return id_decoration(im, id, SpvDecorationSaturatedConversion) || *rounding_suffix(im, id);
}

/* Unusual widths have no builtin; LLVM saturates them. */
static bool is_usual(LLVMTypeRef type) {
  unsigned width = is_int(type) ? LLVMGetIntTypeWidth(scalar_type(type)) : 8;
  return width == 8 || width == 16 || width == 32 || width == 64;
}

static LLVMValueRef float_to_int(importer_t *im, const instruction_t *in, uint32_t is_signed) {
  LLVMValueRef value = operand_value(im, in, 3);
  LLVMTypeRef from = LLVMTypeOf(value), to = result_type(im, in);
  need(im, is_float(from) && is_int(to) && !is_bool(to), "floating point and an integer type are wanted");
  need_shape(im, from, to);
  bool saturates = id_decoration(im, in->result, SpvDecorationSaturatedConversion) != NULL;
  if (is_special(im, in->result) && is_usual(to)) return convert_by_builtin(im, in, false, is_signed, saturates);
  if (!saturates) return LLVMBuildCast(im->builder, is_signed ? LLVMFPToSI : LLVMFPToUI, value, to, "");
  LLVMTypeRef types[] = {to, from};
  return call_intrinsic(im, is_signed ? "llvm.fptosi.sat" : "llvm.fptoui.sat", types, 2, &value, 1);
}

static LLVMValueRef int_to_float(importer_t *im, const instruction_t *in, uint32_t is_signed) {
  LLVMValueRef value = operand_value(im, in, 3);
  LLVMTypeRef from = LLVMTypeOf(value), to = result_type(im, in);
  need(im, is_int(from) && !is_bool(from) && is_float(to), "an integer and a floating-point type are wanted");
  need_shape(im, from, to);
  if (*rounding_suffix(im, in->result)) return convert_by_builtin(im, in, is_signed, false, false);
  return LLVMBuildCast(im->builder, is_signed ? LLVMSIToFP : LLVMUIToFP, value, to, "");
}

static LLVMValueRef int_to_int(importer_t *im, const instruction_t *in, uint32_t is_signed) {
  LLVMValueRef value = operand_value(im, in, 3);
  LLVMTypeRef from = LLVMTypeOf(value), to = result_type(im, in);
  need(im, is_int(from) && is_int(to) && !is_bool(from) && !is_bool(to), "integers are wanted");
  need_shape(im, from, to);
  if (id_decoration(im, in->result, SpvDecorationSaturatedConversion)) {
    return convert_by_builtin(im, in, is_signed, is_signed, true);
  }
  unsigned from_width = LLVMGetIntTypeWidth(scalar_type(from)), to_width = LLVMGetIntTypeWidth(scalar_type(to));
  if (from_width == to_width) return value;
  LLVMOpcode opcode = to_width < from_width ? LLVMTrunc : is_signed ? LLVMSExt : LLVMZExt;
  return LLVMBuildCast(im->builder, opcode, value, to, "");
}

static LLVMValueRef saturate(importer_t *im, const instruction_t *in, uint32_t from_signed) {
  LLVMTypeRef from = LLVMTypeOf(operand_value(im, in, 3)), to = result_type(im, in);
  need(im, is_int(from) && is_int(to) && !is_bool(from) && !is_bool(to), "integers are wanted");
  need_shape(im, from, to);
  return convert_by_builtin(im, in, from_signed, !from_signed, true);
}

static unsigned float_width(LLVMTypeRef type) {
  switch (LLVMGetTypeKind(scalar_type(type))) {
    case LLVMDoubleTypeKind: return 64;
    case LLVMFloatTypeKind: return 32;
    default: return 16;
  }
}

static LLVMValueRef float_to_float(importer_t *im, const instruction_t *in, uint32_t data) {
  (void)data;
  LLVMValueRef value = operand_value(im, in, 3);
  LLVMTypeRef from = LLVMTypeOf(value), to = result_type(im, in);
  need(im, is_float(from) && is_float(to), "floating point is wanted");
  need_shape(im, from, to);
  if (from == to) return value;
  if (*rounding_suffix(im, in->result)) return convert_by_builtin(im, in, false, false, false);
  need(im, float_width(from) != float_width(to), "types of one width are not converted");
  return LLVMBuildCast(im->builder, float_width(to) < float_width(from) ? LLVMFPTrunc : LLVMFPExt, value, to, "");
}

static bool is_address_like(LLVMTypeRef type) { return LLVMGetTypeKind(scalar_type(type)) == LLVMPointerTypeKind; }

static LLVMValueRef pointer_to_int(importer_t *im, const instruction_t *in, uint32_t data) {
  (void)data;
  LLVMValueRef value = operand_value(im, in, 3);
  LLVMTypeRef to = result_type(im, in);
  need(im, is_address_like(LLVMTypeOf(value)) && is_int(to) && !is_bool(to),
       "a pointer and an integer type are wanted");
  need_shape(im, LLVMTypeOf(value), to);
  return LLVMBuildPtrToInt(im->builder, value, to, "");
}

static LLVMValueRef int_to_pointer(importer_t *im, const instruction_t *in, uint32_t data) {
  (void)data;
  LLVMValueRef value = operand_value(im, in, 3);
  LLVMTypeRef to = result_type(im, in);
  need(im, is_int(LLVMTypeOf(value)) && is_address_like(to), "an integer and a pointer type are wanted");
  need_shape(im, LLVMTypeOf(value), to);
  return LLVMBuildIntToPtr(im->builder, value, to, "");
}

static LLVMValueRef to_address_space(importer_t *im, const instruction_t *in, uint32_t data) {
  (void)data;
  LLVMValueRef value = operand_value(im, in, 3);
  LLVMTypeRef to = result_type(im, in);
  need(im, is_pointer(LLVMTypeOf(value)) && is_pointer(to), "pointers are wanted");
  if (LLVMTypeOf(value) == to) return value;
  return LLVMBuildAddrSpaceCast(im->builder, value, to, "");
}

/* Null when the pointer points elsewhere: what to_global and its kin do. */
static LLVMValueRef to_explicit(importer_t *im, const instruction_t *in, uint32_t data) {
  (void)data;
  LLVMValueRef value = operand_value(im, in, 3);
  LLVMTypeRef to = result_type(im, in);
  need(im, is_pointer(LLVMTypeOf(value)) && LLVMGetPointerAddressSpace(LLVMTypeOf(value)) == space_generic,
       "a generic pointer is wanted");
  need(im, is_pointer(to), "a pointer type is wanted");
  switch (LLVMGetPointerAddressSpace(to)) {
    case space_global: return call_symbol(im, "__to_global", to, &value, 1);
    case space_local: return call_symbol(im, "__to_local", to, &value, 1);
    case space_private: return call_symbol(im, "__to_private", to, &value, 1);
    default: import_fail(im, "generic pointers point to global, local or private memory");
  }
}

static unsigned type_bits(importer_t *im, LLVMTypeRef type) {
  LLVMTypeRef scalar = scalar_type(type);
  need(im, (is_int(scalar) || is_float(scalar)) && !is_bool(scalar), "numbers are wanted");
  return vector_size(type) * (is_int(scalar) ? LLVMGetIntTypeWidth(scalar) : float_width(scalar));
}

/* Between a pointer and numbers of as many bits, a vector of them too. */
static LLVMValueRef cast_pointer(importer_t *im, LLVMValueRef value, LLVMTypeRef to) {
  LLVMTypeRef number = LLVMInt64TypeInContext(im->context);
  LLVMTypeRef other = is_pointer(to) ? LLVMTypeOf(value) : to;
  need(im, type_bits(im, other) == 64, "operand and result have different numbers of bits");
  if (is_pointer(to)) return LLVMBuildIntToPtr(im->builder, LLVMBuildBitCast(im->builder, value, number, ""), to, "");
  return LLVMBuildBitCast(im->builder, LLVMBuildPtrToInt(im->builder, value, number, ""), to, "");
}

static LLVMValueRef bitcast(importer_t *im, const instruction_t *in, uint32_t data) {
  LLVMValueRef value = operand_value(im, in, 3);
  LLVMTypeRef from = LLVMTypeOf(value), to = result_type(im, in);
  if (from == to) return value;
  if (is_pointer(from) && is_pointer(to)) return to_address_space(im, in, data);
  if (is_pointer(from) || is_pointer(to)) return cast_pointer(im, value, to);
  need(im, type_bits(im, from) == type_bits(im, to), "operand and result have different numbers of bits");
  return LLVMBuildBitCast(im->builder, value, to, "");
}

/* The number in each component, if there are several. */
static LLVMValueRef constant_like(LLVMTypeRef type, uint64_t number) {
  LLVMValueRef all[16], scalar = LLVMConstInt(scalar_type(type), number, false);
  if (!is_vector(type)) return scalar;
  for (unsigned i = 0; i < vector_size(type); i++) all[i] = scalar;
  return LLVMConstVector(all, vector_size(type));
}

/* The bits of 2 to the power of -14, a float. */
enum { least_normal_half = 0x38800000 };

/* Rounds to half and back. What is no normal number there becomes a zero (OpQuantizeToF16), here of its sign. */
static LLVMValueRef quantize(importer_t *im, const instruction_t *in, uint32_t data) {
  (void)data;
  LLVMValueRef value = operand_value(im, in, 3);
  LLVMTypeRef type = LLVMTypeOf(value);
  need_same(im, type, result_type(im, in));
  need(im, LLVMGetTypeKind(scalar_type(type)) == LLVMFloatTypeKind, "float is wanted");
  LLVMTypeRef half = vector_like(type, LLVMHalfTypeInContext(im->context));
  LLVMBuilderRef b = im->builder;
  LLVMTypeRef bits_type = vector_like(type, LLVMInt32TypeInContext(im->context));
  LLVMValueRef rounded = LLVMBuildFPExt(b, LLVMBuildFPTrunc(b, value, half, ""), type, "");
  LLVMValueRef bits = LLVMBuildBitCast(b, rounded, bits_type, "");
  LLVMValueRef sign = LLVMBuildAnd(b, bits, constant_like(bits_type, 0x80000000), "");
  LLVMValueRef magnitude = LLVMBuildAnd(b, bits, constant_like(bits_type, 0x7fffffff), "");
  LLVMValueRef is_small = LLVMBuildICmp(b, LLVMIntULT, magnitude, constant_like(bits_type, least_normal_half), "");
  return LLVMBuildBitCast(b, LLVMBuildSelect(b, is_small, sign, bits, ""), type, "");
}

/* SPV_INTEL_bfloat16_conversion: bfloat16 is carried as 16 bits of integer. */
static LLVMValueRef bfloat_conversion(importer_t *im, const instruction_t *in, uint32_t to_bfloat) {
  LLVMBuilderRef b = im->builder;
  LLVMValueRef value = operand_value(im, in, 3);
  LLVMTypeRef from = LLVMTypeOf(value), to = result_type(im, in);
  LLVMTypeRef number = to_bfloat ? from : to, bits = to_bfloat ? to : from;
  need_shape(im, from, to);
  need(im, LLVMGetTypeKind(scalar_type(number)) == LLVMFloatTypeKind, "float is wanted");
  need(im, is_int(bits) && LLVMGetIntTypeWidth(scalar_type(bits)) == 16, "an integer of 16 bits is wanted");
  LLVMTypeRef bfloat = vector_like(from, LLVMBFloatTypeInContext(im->context));
  if (to_bfloat) return LLVMBuildBitCast(b, LLVMBuildFPTrunc(b, value, bfloat, ""), to, "");
  return LLVMBuildFPExt(b, LLVMBuildBitCast(b, value, bfloat, ""), to, "");
}

/* SPV_INTEL_tensor_float32_conversion: to the nearest float whose last 13 bits are zero, ties to even.
 * NaN stays NaN. */
static LLVMValueRef round_to_tf32(importer_t *im, const instruction_t *in, uint32_t data) {
  (void)data;
  LLVMBuilderRef b = im->builder;
  LLVMValueRef value = operand_value(im, in, 3);
  LLVMTypeRef type = LLVMTypeOf(value), word = LLVMInt32TypeInContext(im->context);
  need_same(im, type, result_type(im, in));
  need(im, LLVMGetTypeKind(scalar_type(type)) == LLVMFloatTypeKind, "float is wanted");
  LLVMTypeRef bits_type = vector_like(type, word);
  LLVMValueRef bits = LLVMBuildBitCast(b, value, bits_type, "");
  LLVMValueRef odd =
      LLVMBuildAnd(b, LLVMBuildLShr(b, bits, constant_like(bits_type, 13), ""), constant_like(bits_type, 1), "");
  LLVMValueRef rounded = LLVMBuildAdd(b, bits, LLVMBuildAdd(b, odd, constant_like(bits_type, 0xfff), ""), "");
  rounded = LLVMBuildAnd(b, rounded, constant_like(bits_type, ~UINT64_C(0x1fff)), "");
  LLVMValueRef is_nan = LLVMBuildFCmp(b, LLVMRealUNO, value, value, "");
  return LLVMBuildSelect(b, is_nan, value, LLVMBuildBitCast(b, rounded, type, ""), "");
}

static LLVMValueRef freeze(importer_t *im, const instruction_t *in, uint32_t data) {
  (void)data;
  return LLVMBuildFreeze(im->builder, operand_value(im, in, 3), "");
}

static LLVMValueRef copy(importer_t *im, const instruction_t *in, uint32_t data) {
  (void)data;
  return operand_value(im, in, 3);
}

/* Registers of an FPGA: some who write them have a second operand. */
static LLVMValueRef copy_last(importer_t *im, const instruction_t *in, uint32_t data) {
  (void)data;
  return operand_value(im, in, in->count - 1);
}

static const rule_t table[] = {
    {SpvOpConvertFToU, 4, float_to_int, false},
    {SpvOpConvertFToS, 4, float_to_int, true},
    {SpvOpConvertSToF, 4, int_to_float, true},
    {SpvOpConvertUToF, 4, int_to_float, false},
    {SpvOpUConvert, 4, int_to_int, false},
    {SpvOpSConvert, 4, int_to_int, true},
    {SpvOpFConvert, 4, float_to_float, 0},
    {SpvOpQuantizeToF16, 4, quantize, 0},
    {SpvOpConvertPtrToU, 4, pointer_to_int, 0},
    {SpvOpSatConvertSToU, 4, saturate, true},
    {SpvOpSatConvertUToS, 4, saturate, false},
    {SpvOpConvertUToPtr, 4, int_to_pointer, 0},
    {SpvOpPtrCastToGeneric, 4, to_address_space, 0},
    {SpvOpGenericCastToPtr, 4, to_address_space, 0},
    {SpvOpGenericCastToPtrExplicit, 5, to_explicit, 0},
    {SpvOpCrossWorkgroupCastToPtrINTEL, 4, to_address_space, 0},
    {SpvOpPtrCastToCrossWorkgroupINTEL, 4, to_address_space, 0},
    {SpvOpBitcast, 4, bitcast, 0},
    {(SpvOp)newer_op_convert_f_to_bf16_intel, 4, bfloat_conversion, true},
    {(SpvOp)newer_op_convert_bf16_to_f_intel, 4, bfloat_conversion, false},
    {(SpvOp)newer_op_round_f_to_tf32_intel, 4, round_to_tf32, 0},
    {(SpvOp)newer_op_freeze_khr, 4, freeze, 0},
    {SpvOpFPGARegINTEL, 4, copy_last, 0},
    {SpvOpCopyObject, 4, copy, 0},
};
RULES(conversion_rules, table);
