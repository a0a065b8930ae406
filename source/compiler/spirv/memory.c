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

static LLVMValueRef load(importer_t *im, const instruction_t *in, uint32_t data) {
  (void)data;
  LLVMTypeRef type = type_value(im, in->type);
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
  type_value(im, operand_type(im, in, 2));
  LLVMValueRef instruction = LLVMBuildStore(im->builder, value, pointer);
  apply_access(im, instruction, &access);
  return NULL;
}

/* Nothing forbids that the two overlap, and Clang writes a memmove so. */
static void build_copy(importer_t *im, LLVMValueRef to, LLVMValueRef from, LLVMValueRef size, access_t access,
                       access_t from_access) {
  unsigned alignment = access.alignment ? access.alignment : 1;
  unsigned from_alignment = from_access.alignment ? from_access.alignment : 1;
  LLVMValueRef call = LLVMBuildMemMove(im->builder, to, alignment, from, from_alignment, size);
  LLVMTypeRef flag = LLVMInt1TypeInContext(im->context);
  if (access.is_volatile || from_access.is_volatile) LLVMSetOperand(call, 3, LLVMConstInt(flag, 1, false));
}

/* Each of these bits has a word behind the bits. */
enum {
  access_with_operand = SpvMemoryAccessAlignedMask | SpvMemoryAccessMakePointerAvailableMask |
                        SpvMemoryAccessMakePointerVisibleMask | SpvMemoryAccessAliasScopeINTELMaskMask |
                        SpvMemoryAccessNoAliasINTELMaskMask
};

/* A second set of operands, since 1.4, is for the source. */
static access_t read_second_access(importer_t *im, const instruction_t *in, uint32_t index, access_t first) {
  if (index >= in->count) return first;
  uint32_t next = index + 1 + (uint32_t)__builtin_popcount(in->words[index] & access_with_operand);
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

/* The index at word `at`, a scalar integer. */
static LLVMValueRef index_at(importer_t *im, const instruction_t *in, uint32_t at) {
  LLVMValueRef index = operand_value(im, in, at);
  need(im, is_int(LLVMTypeOf(index)) && !is_vector(LLVMTypeOf(index)), "an index is an integer");
  return index;
}

/* The type of the part that id `index` picks from an object of type `whole`; 0 where there is no such part. */
static uint32_t part_type(importer_t *im, uint32_t whole, uint32_t index) {
  uint64_t member;
  switch (type_opcode(im, whole)) {
    case SpvOpTypeStruct:
      if (!constant_number_known(im, index, &member)) return 0;
      return member < LLVMCountStructElementTypes(type_llvm(im, whole)) ? type_member(im, whole, (uint32_t)member) : 0;
    case SpvOpTypeVector:
    case SpvOpTypeArray:
    case SpvOpTypeRuntimeArray: return type_at(im, whole)->definition[2];
    default: return 0;
  }
}

/* One step of an address into type `*type`: the index for LLVM; `*type` becomes the part's type. */
static LLVMValueRef step(importer_t *im, const instruction_t *in, uint32_t at, uint32_t *type) {
  LLVMValueRef index = index_at(im, in, at);
  uint32_t whole = *type;
  SpvOp opcode = type_opcode(im, whole);
  if (opcode == SpvOpTypeStruct) index = constant_u32(im, (uint32_t)constant_number(im, in->words[at]));
  uint32_t part = part_type(im, whole, in->words[at]);
  if (!part) import_fail(im, "type %%%u has no such part", whole);
  *type = part;
  if (opcode == SpvOpTypeVector)
    need(im, type_at(im, part)->size * 8 == LLVMSizeOfTypeInBits(im->layout, type_llvm(im, part)),
         "components that are no whole bytes have no address");
  return index;
}

enum { chain_in_bounds = 1, chain_element = 2 };

/* Clang writes the address of a part of a variable, where a constant wants one, with the variable, 0 and the number of
 * bytes to go, whatever the variable's type: a chain to a byte that walks to none, which the specification has no other
 * meaning for (the result's type is a pointer to the type that was walked to: 3.3.8, OpAccessChain). */
static bool counts_bytes(importer_t *im, const instruction_t *in, uint32_t flags, uint32_t type) {
  if (!(flags & chain_element) || in->count != 6) return false;
  if (type_llvm(im, type_pointee(im, in->type)) != LLVMInt8TypeInContext(im->context)) return false;
  uint32_t part = part_type(im, type, in->words[5]);
  return !part || type_llvm(im, part) != LLVMInt8TypeInContext(im->context);
}

/* Adds the bytes that the indices go; false when they are not known. */
static bool add_offset(importer_t *im, LLVMTypeRef type, const LLVMValueRef *indices, unsigned count, uint64_t *bytes) {
  for (unsigned i = 0; i < count; i++) {
    bool is_known = LLVMIsAConstantInt(indices[i]) && LLVMGetIntTypeWidth(LLVMTypeOf(indices[i])) <= 64;
    if (!is_known) return false;
    uint64_t index = (uint64_t)LLVMConstIntGetSExtValue(indices[i]);
    LLVMTypeKind kind = LLVMGetTypeKind(type);
    if (i > 0 && kind == LLVMStructTypeKind) {
      *bytes += LLVMOffsetOfElement(im->layout, type, (unsigned)index);
      type = LLVMStructGetTypeAtIndex(type, (unsigned)index);
      continue;
    }
    if (i > 0) type = LLVMGetElementType(type);
    bool is_component = i > 0 && kind == LLVMVectorTypeKind;
    *bytes += index * (is_component ? LLVMStoreSizeOfType(im->layout, type) : LLVMABISizeOfType(im->layout, type));
  }
  return true;
}

/* An address that is known but for the variable's: one step from there, however many chains there were before. Loops
 * that were unrolled have long ones, and LLVM leaves each a constant of its own. Null: it is no such address. */
static LLVMValueRef step_on(importer_t *im, uint32_t flags, LLVMTypeRef type, LLVMValueRef pointer,
                            const LLVMValueRef *indices, unsigned count) {
  if (!is_constant_step(pointer)) return NULL;
  unsigned before_count = (unsigned)LLVMGetNumOperands(pointer) - 1;
  LLVMValueRef *before = import_alloc(im, before_count + 1, sizeof(*before));
  for (unsigned i = 0; i < before_count; i++) before[i] = LLVMGetOperand(pointer, i + 1);
  uint64_t bytes = 0;
  bool is_known = add_offset(im, LLVMGetGEPSourceElementType(pointer), before, before_count, &bytes) &&
                  add_offset(im, type, indices, count, &bytes);
  if (!is_known) return NULL;
  LLVMTypeRef byte = LLVMInt8TypeInContext(im->context);
  LLVMValueRef offset = LLVMConstInt(LLVMInt64TypeInContext(im->context), bytes, true);
  bool in_bounds = (flags & chain_in_bounds) && LLVMIsInBounds(pointer);
  LLVMValueRef base = LLVMGetOperand(pointer, 0);
  return in_bounds ? LLVMConstInBoundsGEP2(byte, base, &offset, 1) : LLVMConstGEP2(byte, base, &offset, 1);
}

static LLVMValueRef build_address(importer_t *im, uint32_t flags, LLVMTypeRef type, LLVMValueRef pointer,
                                  LLVMValueRef *indices, unsigned count) {
  LLVMValueRef known = step_on(im, flags, type, pointer, indices, count);
  if (known) return known;
  if (flags & chain_in_bounds) return LLVMBuildInBoundsGEP2(im->builder, type, pointer, indices, count, "");
  return LLVMBuildGEP2(im->builder, type, pointer, indices, count, "");
}

/* `element`: the first index steps over whole objects, as in C. */
static LLVMValueRef access_chain(importer_t *im, const instruction_t *in, uint32_t flags) {
  uint32_t type, first = 4;
  LLVMValueRef pointer = operand_pointer(im, in, 3, &type);
  LLVMTypeRef base = type_data(im, type);
  unsigned count = 0;
  LLVMValueRef *indices = import_alloc(im, in->count, sizeof(LLVMValueRef));
  indices[count++] = constant_u32(im, 0);
  if (flags & chain_element) indices[0] = index_at(im, in, first++);
  if (counts_bytes(im, in, flags, type)) {
    LLVMValueRef object = build_address(im, flags, base, pointer, indices, count), bytes = index_at(im, in, first);
    return build_address(im, flags, LLVMInt8TypeInContext(im->context), object, &bytes, 1);
  }
  for (uint32_t i = first; i < in->count; i++) indices[count++] = step(im, in, i, &type);
  return build_address(im, flags, base, pointer, indices, count);
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
