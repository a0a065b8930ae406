/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Loads, stores, copies and addresses. */
#include <string.h>

#include "compiler/spirv/builtin_variables.h"
#include "compiler/spirv/importer.h"

/* Memory operands: bits, and for some of them words behind. */
typedef struct access_t {
  bool is_volatile, is_nontemporal;
  unsigned alignment;
} access_t;

static access_t read_access(importer_t *im, const instruction_t *in, uint32_t index) {
  access_t access = {0};
  if (index >= in->count) return access;
  uint32_t bits = in->words[index];
  access.is_volatile = bits & SpvMemoryAccessVolatileMask;
  access.is_nontemporal = bits & SpvMemoryAccessNontemporalMask;
  if (!(bits & SpvMemoryAccessAlignedMask)) return access;
  access.alignment = operand_word(im, in, index + 1);
  bool is_power = access.alignment && !(access.alignment & (access.alignment - 1));
  if (!is_power) import_fail(im, "alignment %u is no power of two", access.alignment);
  if (access.alignment > 4096) access.alignment = 4096;
  return access;
}

static void apply_access(importer_t *im, LLVMValueRef value, const access_t *access) {
  if (access->is_volatile) LLVMSetVolatile(value, true);
  if (access->alignment) LLVMSetAlignment(value, access->alignment);
  if (!access->is_nontemporal) return;
  LLVMMetadataRef one = LLVMValueAsMetadata(constant_u32(im, 1));
  LLVMMetadataRef node = LLVMMDNodeInContext2(im->context, &one, 1);
  LLVMSetMetadata(value, LLVMGetMDKindIDInContext(im->context, "nontemporal", 11),
                  LLVMMetadataAsValue(im->context, node));
}

/* What is loaded as a value has a size, and few enough parts for code. */
static LLVMTypeRef loadable(importer_t *im, uint32_t type) {
  LLVMTypeRef llvm = type_data(im, type);
  if (type_at(im, type)->parts > import_max_parts) import_fail(im, "a value of type %%%u has too many parts", type);
  return llvm;
}

static LLVMValueRef load(importer_t *im, const instruction_t *in, uint32_t data) {
  (void)data;
  LLVMTypeRef type = loadable(im, in->type);
  access_t access = read_access(im, in, 4);
  if (is_builtin_variable(im, in->words[3])) return builtin_variable_load(im, in->words[3]);
  uint32_t pointee;
  LLVMValueRef pointer = operand_pointer(im, in, 3, &pointee);
  LLVMValueRef value = LLVMBuildLoad2(im->builder, type, pointer, "");
  apply_access(im, value, &access);
  return value;
}

static LLVMValueRef store(importer_t *im, const instruction_t *in, uint32_t data) {
  (void)data;
  uint32_t pointee;
  LLVMValueRef pointer = operand_pointer(im, in, 1, &pointee), value = operand_value(im, in, 2);
  access_t access = read_access(im, in, 3);
  loadable(im, operand_type(im, in, 2));
  LLVMValueRef instruction = LLVMBuildStore(im->builder, value, pointer);
  apply_access(im, instruction, &access);
  return NULL;
}

static void build_copy(importer_t *im, LLVMValueRef to, LLVMValueRef from, LLVMValueRef size, access_t access,
                       access_t from_access) {
  unsigned alignment = access.alignment ? access.alignment : 1;
  unsigned from_alignment = from_access.alignment ? from_access.alignment : 1;
  LLVMValueRef call = LLVMBuildMemCpy(im->builder, to, alignment, from, from_alignment, size);
  LLVMTypeRef flag = LLVMInt1TypeInContext(im->context);
  if (access.is_volatile || from_access.is_volatile) LLVMSetOperand(call, 3, LLVMConstInt(flag, 1, false));
}

/* A second set of operands, since 1.4, is for the source. */
static access_t read_second_access(importer_t *im, const instruction_t *in, uint32_t index, access_t first) {
  uint32_t next = index + 1 + (first.alignment ? 1 : 0);
  return next < in->count ? read_access(im, in, next) : first;
}

static LLVMValueRef copy_memory(importer_t *im, const instruction_t *in, uint32_t data) {
  (void)data;
  uint32_t to_type, from_type;
  LLVMValueRef to = operand_pointer(im, in, 1, &to_type), from = operand_pointer(im, in, 2, &from_type);
  LLVMTypeRef type = type_data(im, to_type);
  need_same(im, type, type_data(im, from_type));
  access_t access = read_access(im, in, 3);
  build_copy(im, to, from, LLVMSizeOf(type), access, read_second_access(im, in, 3, access));
  return NULL;
}

static LLVMValueRef copy_memory_sized(importer_t *im, const instruction_t *in, uint32_t data) {
  (void)data;
  uint32_t pointee;
  LLVMValueRef to = operand_pointer(im, in, 1, &pointee), from = operand_pointer(im, in, 2, &pointee);
  LLVMValueRef size = operand_value(im, in, 3);
  need(im, is_int(LLVMTypeOf(size)) && !is_vector(LLVMTypeOf(size)), "the size is an integer");
  size = LLVMBuildIntCast2(im->builder, size, LLVMInt64TypeInContext(im->context), false, "");
  access_t access = read_access(im, in, 4);
  build_copy(im, to, from, size, access, read_second_access(im, in, 4, access));
  return NULL;
}

/* One step of an address into type `*type`: the index for LLVM; `*type` becomes the part's type. */
static LLVMValueRef step(importer_t *im, const instruction_t *in, uint32_t at, uint32_t *type) {
  LLVMValueRef index = operand_value(im, in, at);
  need(im, is_int(LLVMTypeOf(index)) && !is_vector(LLVMTypeOf(index)), "an index is an integer");
  const uint32_t *words = type_at(im, *type)->definition;
  switch ((SpvOp)(words[0] & SpvOpCodeMask)) {
    case SpvOpTypeStruct: {
      uint64_t member = constant_number(im, in->words[at]);
      if (member >= LLVMCountStructElementTypes(type_llvm(im, *type))) import_fail(im, "there is no such member");
      *type = type_member(im, *type, (uint32_t)member);
      return constant_u32(im, (uint32_t)member);
    }
    case SpvOpTypeVector:
      need(im, type_at(im, words[2])->size * 8 == LLVMSizeOfTypeInBits(im->layout, type_llvm(im, words[2])),
           "components that are no whole bytes have no address");
      *type = words[2];
      return index;
    case SpvOpTypeArray:
    case SpvOpTypeRuntimeArray: *type = words[2]; return index;
    default: import_fail(im, "type %%%u has no parts", *type);
  }
}

enum { chain_in_bounds = 1, chain_element = 2 };

/* `element`: the first index steps over whole objects, as in C. */
static LLVMValueRef access_chain(importer_t *im, const instruction_t *in, uint32_t flags) {
  uint32_t type, first = 4;
  LLVMValueRef pointer = operand_pointer(im, in, 3, &type);
  LLVMTypeRef base = type_data(im, type);
  unsigned count = 0;
  LLVMValueRef *indices = import_alloc(im, in->count, sizeof(LLVMValueRef));
  indices[count++] = constant_u32(im, 0);
  if (flags & chain_element) {
    indices[0] = operand_value(im, in, first++);
    need(im, is_int(LLVMTypeOf(indices[0])) && !is_vector(LLVMTypeOf(indices[0])), "an index is an integer");
  }
  for (uint32_t i = first; i < in->count; i++) indices[count++] = step(im, in, i, &type);
  if (flags & chain_in_bounds) return LLVMBuildInBoundsGEP2(im->builder, base, pointer, indices, count, "");
  return LLVMBuildGEP2(im->builder, base, pointer, indices, count, "");
}

/* A generic pointer on a CPU may point to anything; both fences are right for all of it. */
static LLVMValueRef generic_semantics(importer_t *im, const instruction_t *in, uint32_t data) {
  (void)data;
  need(im, is_pointer(LLVMTypeOf(operand_value(im, in, 3))), "a pointer is wanted");
  uint32_t all = SpvMemorySemanticsCrossWorkgroupMemoryMask | SpvMemorySemanticsWorkgroupMemoryMask;
  need(im, result_type(im, in) == LLVMInt32TypeInContext(im->context), "an integer type is wanted");
  return constant_u32(im, all);
}

static LLVMValueRef size_of(importer_t *im, const instruction_t *in, uint32_t data) {
  (void)data;
  uint32_t pointee;
  operand_pointer(im, in, 3, &pointee);
  need(im, is_int(result_type(im, in)) && !is_vector(result_type(im, in)), "an integer type is wanted");
  return LLVMConstInt(result_type(im, in), LLVMABISizeOfType(im->layout, type_data(im, pointee)), false);
}

/* An array of a length that is found at run time: room on the stack. */
static LLVMValueRef variable_length_array(importer_t *im, const instruction_t *in, uint32_t data) {
  (void)data;
  LLVMValueRef count = operand_value(im, in, 3);
  need(im, is_int(LLVMTypeOf(count)) && !is_vector(LLVMTypeOf(count)), "the length is an integer");
  return LLVMBuildArrayAlloca(im->builder, type_data(im, type_pointee(im, in->type)), count, "");
}

static LLVMValueRef save_stack(importer_t *im, const instruction_t *in, uint32_t data) {
  (void)in, (void)data;
  LLVMTypeRef type = LLVMPointerTypeInContext(im->context, space_private);
  return call_intrinsic(im, "llvm.stacksave", &type, 1, NULL, 0);
}

static LLVMValueRef restore_stack(importer_t *im, const instruction_t *in, uint32_t data) {
  (void)data;
  LLVMValueRef pointer = operand_value(im, in, 1);
  LLVMTypeRef type = LLVMPointerTypeInContext(im->context, space_private);
  need_same(im, LLVMTypeOf(pointer), type);
  call_intrinsic(im, "llvm.stackrestore", &type, 1, &pointer, 1);
  return NULL;
}

static const rule_t table[] = {
    {SpvOpLoad, 4, load, 0},
    {SpvOpStore, 3, store, 0},
    {SpvOpCopyMemory, 3, copy_memory, 0},
    {SpvOpCopyMemorySized, 4, copy_memory_sized, 0},
    {SpvOpAccessChain, 4, access_chain, 0},
    {SpvOpInBoundsAccessChain, 4, access_chain, chain_in_bounds},
    {SpvOpPtrAccessChain, 5, access_chain, chain_element},
    {SpvOpInBoundsPtrAccessChain, 5, access_chain, chain_element | chain_in_bounds},
    {SpvOpGenericPtrMemSemantics, 4, generic_semantics, 0},
    {SpvOpSizeOf, 4, size_of, 0},
    {SpvOpVariableLengthArrayINTEL, 4, variable_length_array, 0},
    {SpvOpSaveMemoryINTEL, 3, save_stack, 0},
    {SpvOpRestoreMemoryINTEL, 2, restore_stack, 0},
};
RULES(memory_rules, table);
