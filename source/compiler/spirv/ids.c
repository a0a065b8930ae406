/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * The table of ids, and operands with the checks that handlers rely on. */
#include <string.h>

#include "compiler/spirv/builtin_variables.h"
#include "compiler/spirv/importer.h"

import_id_t *id_at(importer_t *im, uint32_t id) {
  if (id == 0 || id >= im->bound) import_fail(im, "id %%%u is not below the bound %u", id, im->bound);
  return &im->ids[id];
}

const char *id_name(importer_t *im, uint32_t id) {
  const char *name = id_at(im, id)->name;
  return name ? name : "";
}

void id_define_value(importer_t *im, uint32_t id, uint32_t type, LLVMValueRef value) {
  import_id_t *entry = id_at(im, id);
  LLVMTypeRef expected = type_llvm(im, type);
  bool is_void = LLVMGetTypeKind(expected) == LLVMVoidTypeKind;
  if (!value && !is_void) import_fail(im, "it gives nothing, but has a type");
  if (value && !is_void && LLVMTypeOf(value) != expected) import_fail(im, "the type of its result is wrong");
  if (value && !is_void && !LLVMIsConstant(value)) type_value(im, type);
  entry->kind = id_value;
  entry->type = type;
  entry->llvm.value = is_void ? NULL : value;
  if (im->scratch && value && !LLVMIsConstant(value)) import_fail(im, "a constant is wanted");
  if (value && entry->name && !LLVMIsConstant(value)) LLVMSetValueName2(value, entry->name, strlen(entry->name));
}

decoration_t *id_decoration(importer_t *im, uint32_t id, SpvDecoration kind) {
  for (decoration_t *d = id_at(im, id)->decorations; d; d = d->next) {
    if (d->kind == kind && d->member < 0) return d;
  }
  return NULL;
}

/* A constant sampler is made anew where it is used, as Clang does. */
static LLVMValueRef make_sampler(importer_t *im, const import_id_t *entry) {
  LLVMValueRef bits = constant_u32(im, entry->parts);
  return call_symbol(im, "__translate_sampler_initializer", LLVMTypeOf(entry->llvm.value), &bits, 1);
}

LLVMValueRef value_at(importer_t *im, uint32_t id) {
  import_id_t *entry = id_at(im, id);
  bool is_value = entry->kind == id_value && entry->llvm.value;
  bool is_sampler = is_value && im->function && (entry->definition[0] & SpvOpCodeMask) == SpvOpConstantSampler;
  if (is_sampler) return make_sampler(im, entry);
  if (is_value && (!im->deepest || entry->depth > im->deepest->depth)) im->deepest = entry;
  if (is_value) return entry->llvm.value;
  if (is_builtin_variable(im, id)) return builtin_variable_pointer(im, id);
  if (!entry->definition) import_fail(im, "id %%%u is not defined", id);
  import_fail(im, "id %%%u is no value, or is used before it is defined", id);
}

LLVMValueRef operand_value(importer_t *im, const instruction_t *in, uint32_t index) {
  return value_at(im, operand_word(im, in, index));
}

uint32_t operand_type(importer_t *im, const instruction_t *in, uint32_t index) {
  import_id_t *entry = id_at(im, operand_word(im, in, index));
  if (entry->kind != id_value) import_fail(im, "id %%%u is no value", in->words[index]);
  return entry->type;
}

LLVMBasicBlockRef operand_block(importer_t *im, const instruction_t *in, uint32_t index) {
  import_id_t *entry = id_at(im, operand_word(im, in, index));
  bool is_block = entry->kind == id_block && LLVMGetBasicBlockParent(entry->llvm.block) == im->function;
  if (!is_block) import_fail(im, "id %%%u is no label of this function", in->words[index]);
  return entry->llvm.block;
}

LLVMValueRef operand_pointer(importer_t *im, const instruction_t *in, uint32_t index, uint32_t *pointee) {
  LLVMValueRef pointer = operand_value(im, in, index);
  *pointee = type_pointee(im, operand_type(im, in, index));
  return pointer;
}

LLVMTypeRef result_type(importer_t *im, const instruction_t *in) { return type_llvm(im, in->type); }

bool constant_number_known(importer_t *im, uint32_t id, uint64_t *out) {
  import_id_t *entry = id_at(im, id);
  bool is_number = entry->kind == id_value && entry->llvm.value && LLVMIsAConstantInt(entry->llvm.value) &&
                   LLVMGetIntTypeWidth(LLVMTypeOf(entry->llvm.value)) <= 64;
  bool is_zero = entry->kind == id_value && entry->llvm.value && is_int(LLVMTypeOf(entry->llvm.value)) &&
                 LLVMIsConstant(entry->llvm.value) && LLVMIsNull(entry->llvm.value);
  if (is_number) *out = LLVMConstIntGetZExtValue(entry->llvm.value);
  if (is_zero) *out = 0;
  return is_number || is_zero;
}

uint64_t constant_number(importer_t *im, uint32_t id) {
  uint64_t number;
  if (!constant_number_known(im, id, &number)) import_fail(im, "id %%%u is no constant integer", id);
  return number;
}

void need(importer_t *im, bool holds, const char *what) {
  if (!holds) import_fail(im, "%s", what);
}

void need_same(importer_t *im, LLVMTypeRef a, LLVMTypeRef b) {
  if (a != b) import_fail(im, "types of operands or result do not agree");
}

LLVMValueRef constant_u32(importer_t *im, uint32_t value) {
  return LLVMConstInt(LLVMInt32TypeInContext(im->context), value, false);
}

LLVMTypeRef scalar_type(LLVMTypeRef type) {
  return LLVMGetTypeKind(type) == LLVMVectorTypeKind ? LLVMGetElementType(type) : type;
}

bool is_int(LLVMTypeRef type) { return LLVMGetTypeKind(scalar_type(type)) == LLVMIntegerTypeKind; }

bool is_bool(LLVMTypeRef type) { return is_int(type) && LLVMGetIntTypeWidth(scalar_type(type)) == 1; }

bool is_float(LLVMTypeRef type) {
  LLVMTypeKind kind = LLVMGetTypeKind(scalar_type(type));
  return kind == LLVMHalfTypeKind || kind == LLVMFloatTypeKind || kind == LLVMDoubleTypeKind ||
         kind == LLVMBFloatTypeKind;
}

bool is_pointer(LLVMTypeRef type) { return LLVMGetTypeKind(type) == LLVMPointerTypeKind; }

bool is_vector(LLVMTypeRef type) { return LLVMGetTypeKind(type) == LLVMVectorTypeKind; }

unsigned vector_size(LLVMTypeRef type) { return is_vector(type) ? LLVMGetVectorSize(type) : 1; }

LLVMTypeRef vector_of(LLVMTypeRef scalar, unsigned count) {
  return count == 1 ? scalar : LLVMVectorType(scalar, count);
}

LLVMTypeRef vector_like(LLVMTypeRef shape, LLVMTypeRef scalar) {
  return is_vector(shape) ? LLVMVectorType(scalar, LLVMGetVectorSize(shape)) : scalar;
}

bool same_shape(LLVMTypeRef a, LLVMTypeRef b) {
  return is_vector(a) == is_vector(b) && vector_size(a) == vector_size(b);
}

LLVMValueRef call_intrinsic(importer_t *im, const char *name, LLVMTypeRef *types, unsigned type_count,
                            LLVMValueRef *arguments, unsigned argument_count) {
  unsigned id = LLVMLookupIntrinsicID(name, strlen(name));
  LLVMValueRef callee = LLVMGetIntrinsicDeclaration(im->module, id, types, type_count);
  LLVMTypeRef type = LLVMGlobalGetValueType(callee);
  return LLVMBuildCall2(im->builder, type, callee, arguments, argument_count, "");
}

LLVMValueRef call_symbol(importer_t *im, const char *symbol, LLVMTypeRef result, LLVMValueRef *arguments,
                         unsigned count) {
  LLVMTypeRef parameters[builtin_max_arguments];
  for (unsigned i = 0; i < count; i++) parameters[i] = LLVMTypeOf(arguments[i]);
  LLVMTypeRef type = LLVMFunctionType(result, parameters, count, false);
  LLVMValueRef callee = LLVMGetNamedFunction(im->module, symbol);
  if (!callee) {
    callee = LLVMAddFunction(im->module, symbol, type);
    LLVMSetFunctionCallConv(callee, LLVMSPIRFUNCCallConv);
  }
  LLVMValueRef call = LLVMBuildCall2(im->builder, type, callee, arguments, count, "");
  LLVMSetInstructionCallConv(call, LLVMSPIRFUNCCallConv);
  return call;
}
