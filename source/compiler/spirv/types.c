/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Types. Pointers are opaque as LLVM's are; what they point to is read from the type's words where it matters. */
#include <string.h>

#include "compiler/spirv/importer.h"
#include "compiler/spirv_info.h"

enum { max_int_width = 128, pointer_size = 8 };

import_id_t *type_at(importer_t *im, uint32_t id) {
  import_id_t *entry = id_at(im, id);
  if (entry->kind != id_type) import_fail(im, "id %%%u is no type, or is used before it is defined", id);
  return entry;
}

SpvOp type_opcode(importer_t *im, uint32_t id) { return (SpvOp)(type_at(im, id)->definition[0] & SpvOpCodeMask); }

import_id_t *type_of_kind(importer_t *im, uint32_t id, SpvOp opcode, const char *what) {
  if (type_opcode(im, id) != opcode) import_fail(im, "%s is wanted where %%%u is used", what, id);
  return type_at(im, id);
}

LLVMTypeRef type_llvm(importer_t *im, uint32_t id) { return type_at(im, id)->llvm.type; }

LLVMTypeRef type_data(importer_t *im, uint32_t id) {
  import_id_t *entry = type_at(im, id);
  if (entry->size == 0 && !LLVMTypeIsSized(entry->llvm.type)) import_fail(im, "type %%%u has no size", id);
  return entry->llvm.type;
}

LLVMTypeRef type_value(importer_t *im, uint32_t id) {
  LLVMTypeRef type = type_data(im, id);
  if (type_at(im, id)->parts > import_max_parts) import_fail(im, "a value of type %%%u has too many parts", id);
  return type;
}

uint32_t type_pointee(importer_t *im, uint32_t pointer_type) {
  return type_of_kind(im, pointer_type, SpvOpTypePointer, "a pointer")->definition[3];
}

uint32_t type_scalar(importer_t *im, uint32_t id) {
  return type_opcode(im, id) == SpvOpTypeVector ? type_at(im, id)->definition[2] : id;
}

unsigned type_address_space(importer_t *im, uint32_t storage_class) {
  switch (storage_class) {
    case SpvStorageClassFunction:
    case SpvStorageClassInput:
    case SpvStorageClassPrivate:
    case SpvStorageClassCodeSectionINTEL: return space_private;
    case SpvStorageClassUniformConstant: return space_constant;
    case SpvStorageClassCrossWorkgroup:
    case SpvStorageClassDeviceOnlyINTEL:
    case SpvStorageClassHostOnlyINTEL: return space_global;
    case SpvStorageClassWorkgroup: return space_local;
    case SpvStorageClassGeneric: return space_generic;
    default: import_fail(im, "storage class %u is not supported", storage_class);
  }
}

static uint64_t saturating_multiply(uint64_t a, uint64_t b) {
  uint64_t product;
  return __builtin_mul_overflow(a, b, &product) ? UINT64_MAX : product;
}

static uint64_t saturating_add(uint64_t a, uint64_t b) {
  uint64_t sum;
  return __builtin_add_overflow(a, b, &sum) ? UINT64_MAX : sum;
}

static uint32_t saturating_u32(uint64_t value) { return value > UINT32_MAX ? UINT32_MAX : (uint32_t)value; }

static import_id_t *define(importer_t *im, const instruction_t *in, LLVMTypeRef type, uint64_t size) {
  import_id_t *entry = id_at(im, in->words[1]);
  entry->kind = id_type;
  entry->llvm.type = type;
  entry->size = size;
  entry->parts = 1;
  entry->depth = 1;
  return entry;
}

static LLVMValueRef type_void(importer_t *im, const instruction_t *in, uint32_t data) {
  (void)data;
  define(im, in, LLVMVoidTypeInContext(im->context), 0);
  return NULL;
}

static LLVMValueRef type_bool(importer_t *im, const instruction_t *in, uint32_t data) {
  (void)data;
  define(im, in, LLVMInt1TypeInContext(im->context), 1);
  return NULL;
}

static LLVMValueRef type_int(importer_t *im, const instruction_t *in, uint32_t data) {
  (void)data;
  uint32_t width = in->words[2];
  bool is_usual = width == 8 || width == 16 || width == 32 || width == 64;
  bool is_allowed = is_usual || im->capabilities[SpvCapabilityArbitraryPrecisionIntegersINTEL];
  if (!is_allowed || width < 2 || width > max_int_width)
    import_fail(im, "integers of %u bits are not supported", width);
  define(im, in, LLVMIntTypeInContext(im->context, width), spirv_info_number_size(width));
  return NULL;
}

static LLVMValueRef type_float(importer_t *im, const instruction_t *in, uint32_t data) {
  (void)data;
  uint32_t width = in->words[2];
  if (in->count > 3) {
    bool is_bfloat = in->words[3] == 0 && width == 16 && im->capabilities[newer_capability_bfloat16_type_khr];
    if (!is_bfloat) import_fail(im, "floating-point encoding %u is not supported", in->words[3]);
    define(im, in, LLVMBFloatTypeInContext(im->context), 2);
    return NULL;
  }
  switch (width) {
    case 16: define(im, in, LLVMHalfTypeInContext(im->context), 2); break;
    case 32: define(im, in, LLVMFloatTypeInContext(im->context), 4); break;
    case 64: define(im, in, LLVMDoubleTypeInContext(im->context), 8); break;
    default: import_fail(im, "floating point of %u bits is not supported", width);
  }
  return NULL;
}

static void nest(importer_t *im, import_id_t *entry, const import_id_t *inner) {
  if (inner->depth >= entry->depth) entry->depth = inner->depth + 1;
  if (entry->depth > import_max_nesting) import_fail(im, "types are nested more than %d deep", import_max_nesting);
}

static LLVMValueRef type_vector(importer_t *im, const instruction_t *in, uint32_t data) {
  (void)data;
  uint32_t count = in->words[3];
  import_id_t *inner = type_at(im, in->words[2]);
  LLVMTypeRef component = inner->llvm.type;
  bool is_scalar = !is_vector(component) && (is_int(component) || is_float(component) || is_pointer(component));
  need(im, is_scalar, "the components of a vector are scalars");
  /* OpenCL has 2, 3, 4, 8 and 16. Clang 22's optimiser makes others of parts of those, and writes them. */
  if (count == 0 || count > 16) import_fail(im, "vectors of %u components are not supported", count);
  unsigned room = 1;
  while (room < count) room *= 2;
  import_id_t *entry = define(im, in, LLVMVectorType(component, count), inner->size * room);
  entry->parts = count;
  return NULL;
}

static LLVMValueRef add_array(importer_t *im, const instruction_t *in, uint64_t count) {
  import_id_t *inner = type_at(im, in->words[2]);
  LLVMTypeRef element = type_data(im, in->words[2]);
  if (count > IMPORT_MAX_SIZE) import_fail(im, "an array of %llu elements is too large", (unsigned long long)count);
  import_id_t *entry = define(im, in, LLVMArrayType2(element, count), saturating_multiply(inner->size, count));
  entry->parts = saturating_u32(saturating_multiply(inner->parts, count > 0 ? count : 1));
  if (entry->size > IMPORT_MAX_SIZE)
    import_fail(im, "a type of %llu bytes is too large", (unsigned long long)entry->size);
  nest(im, entry, inner);
  return NULL;
}

static LLVMValueRef type_array(importer_t *im, const instruction_t *in, uint32_t data) {
  (void)data;
  uint64_t count = constant_number(im, in->words[3]);
  need(im, count > 0, "an array has at least one element");
  return add_array(im, in, count);
}

static LLVMValueRef type_runtime_array(importer_t *im, const instruction_t *in, uint32_t data) {
  (void)data;
  return add_array(im, in, 0);
}

static bool is_packed(importer_t *im, uint32_t id) { return id_decoration(im, id, SpvDecorationCPacked) != NULL; }

/* Members go on in the instructions behind (SPV_INTEL_long_composites). */
static const uint32_t *continuation(importer_t *im, const uint32_t *words, SpvOp opcode) {
  const uint32_t *next = words + (words[0] >> SpvWordCountShift);
  bool is_more = next < im->words + im->word_count && (next[0] & SpvOpCodeMask) == (uint32_t)opcode;
  return is_more ? next : NULL;
}

static size_t count_members(importer_t *im, const instruction_t *in) {
  size_t count = in->count - 2;
  const uint32_t *more = in->words;
  while ((more = continuation(im, more, SpvOpTypeStructContinuedINTEL))) count += (more[0] >> SpvWordCountShift) - 1;
  return count;
}

static void add_member(importer_t *im, import_id_t *entry, uint32_t member, LLVMTypeRef *out) {
  import_id_t *inner = type_at(im, member);
  *out = type_data(im, member);
  entry->size = saturating_add(entry->size, saturating_add(inner->size, 16)); /* with room for padding */
  entry->parts = saturating_u32((uint64_t)entry->parts + inner->parts);
  nest(im, entry, inner);
}

static LLVMValueRef type_struct(importer_t *im, const instruction_t *in, uint32_t data) {
  (void)data;
  import_id_t *entry = define(im, in, LLVMStructCreateNamed(im->context, id_name(im, in->words[1])), 0);
  size_t count = count_members(im, in), at = 0;
  LLVMTypeRef *members = import_alloc(im, count + 1, sizeof(LLVMTypeRef));
  entry->kind = id_unknown; /* it does not contain itself */
  entry->parts = 0;
  for (const uint32_t *words = in->words; words; words = continuation(im, words, SpvOpTypeStructContinuedINTEL)) {
    for (uint32_t i = words == in->words ? 2 : 1; i < words[0] >> SpvWordCountShift; i++) {
      add_member(im, entry, words[i], &members[at++]);
    }
  }
  if (entry->size > IMPORT_MAX_SIZE)
    import_fail(im, "a type of %llu bytes is too large", (unsigned long long)entry->size);
  if (count == 0) entry->size = 0;
  if (entry->parts == 0) entry->parts = 1; /* so that an array of many is one of many parts */
  entry->kind = id_type;
  LLVMStructSetBody(entry->llvm.type, members, (unsigned)count, is_packed(im, in->words[1]));
  return NULL;
}

uint32_t type_member(importer_t *im, uint32_t struct_type, uint32_t member) {
  const uint32_t *words = type_at(im, struct_type)->definition;
  uint32_t first = 2, count = words[0] >> SpvWordCountShift;
  while (first + member >= count) {
    member -= count - first;
    words = continuation(im, words, SpvOpTypeStructContinuedINTEL);
    count = words[0] >> SpvWordCountShift;
    first = 1;
  }
  return words[first + member];
}

/* Read together with the instruction that they continue. */
static LLVMValueRef skip(importer_t *im, const instruction_t *in, uint32_t data) {
  (void)im, (void)in, (void)data;
  return NULL;
}

static LLVMValueRef type_opaque(importer_t *im, const instruction_t *in, uint32_t data) {
  (void)data;
  define(im, in, LLVMStructCreateNamed(im->context, read_string(im, in, 2, NULL)), 0);
  return NULL;
}

static LLVMValueRef type_pointer(importer_t *im, const instruction_t *in, uint32_t data) {
  (void)data;
  unsigned space = type_address_space(im, in->words[2]);
  id_at(im, in->words[3]); /* may be defined later, with OpTypeForwardPointer */
  define(im, in, LLVMPointerTypeInContext(im->context, space), pointer_size);
  return NULL;
}

/* Pointers need no more than their address space, so that a type may use one ahead of its definition. */
static LLVMValueRef type_forward_pointer(importer_t *im, const instruction_t *in, uint32_t data) {
  (void)data;
  import_id_t *entry = id_at(im, in->words[1]);
  need(im, entry->definition && entry->kind == id_unknown, "the pointer type is to follow");
  instruction_t pointer = read_instruction(entry->definition);
  need(im, pointer.opcode == SpvOpTypePointer && pointer.count >= 4, "a pointer type is wanted");
  return type_pointer(im, &pointer, 0);
}

static LLVMValueRef type_function(importer_t *im, const instruction_t *in, uint32_t data) {
  (void)data;
  unsigned count = in->count - 3;
  if (count > import_max_parameters) import_fail(im, "%u parameters are more than %d", count, import_max_parameters);
  LLVMTypeRef *parameters = import_alloc(im, count + 1, sizeof(LLVMTypeRef));
  for (unsigned i = 0; i < count; i++) parameters[i] = type_value(im, in->words[i + 3]);
  LLVMTypeRef result = type_llvm(im, in->words[2]);
  bool is_void = LLVMGetTypeKind(result) == LLVMVoidTypeKind;
  if (!is_void) result = type_value(im, in->words[2]);
  define(im, in, LLVMFunctionType(result, parameters, count, false), 0);
  return NULL;
}

/* LLVM's names for opaque types are SPIR-V's own. */
static void define_extension(importer_t *im, const instruction_t *in, const char *name, LLVMTypeRef *types,
                             unsigned type_count, unsigned *numbers, unsigned number_count) {
  define(im, in, LLVMTargetExtTypeInContext(im->context, name, types, type_count, numbers, number_count), pointer_size);
}

static LLVMValueRef type_image(importer_t *im, const instruction_t *in, uint32_t data) {
  (void)data;
  LLVMTypeRef sampled = LLVMVoidTypeInContext(im->context);
  need(im, type_opcode(im, in->words[2]) == SpvOpTypeVoid, "the sampled type of an image is void in kernels");
  need(im, in->words[3] <= SpvDimBuffer && in->words[5] <= 1, "the image type is not one of OpenCL");
  need(im, !in->words[6], "multisampled images are not supported");
  unsigned access = in->count > 9 ? in->words[9] : SpvAccessQualifierReadOnly;
  need(im, access <= SpvAccessQualifierReadWrite, "the access qualifier is not one of OpenCL");
  unsigned numbers[] = {in->words[3], in->words[4] == 1, in->words[5], in->words[6],
                        in->words[7], in->words[8],      access};
  define_extension(im, in, "spirv.Image", &sampled, 1, numbers, 7);
  return NULL;
}

/* A sampled image is its image; who uses it looks for the sampler at the instruction that made it. */
static LLVMValueRef type_sampled_image(importer_t *im, const instruction_t *in, uint32_t data) {
  (void)data;
  define(im, in, type_of_kind(im, in->words[2], SpvOpTypeImage, "an image type")->llvm.type, pointer_size);
  return NULL;
}

static LLVMValueRef type_pipe(importer_t *im, const instruction_t *in, uint32_t data) {
  (void)data;
  unsigned access = in->words[2];
  need(im, access <= SpvAccessQualifierWriteOnly, "a pipe is read-only or write-only");
  define_extension(im, in, "spirv.Pipe", NULL, 0, &access, 1);
  return NULL;
}

/* The address of its memory. */
static LLVMValueRef type_pipe_storage(importer_t *im, const instruction_t *in, uint32_t data) {
  (void)data;
  define(im, in, LLVMPointerTypeInContext(im->context, space_global), pointer_size);
  return NULL;
}

static LLVMValueRef type_plain(importer_t *im, const instruction_t *in, uint32_t data) {
  static const char *const names[] = {"spirv.Sampler", "spirv.Event", "spirv.ReserveId"};
  define_extension(im, in, names[data], NULL, 0, NULL, 0);
  return NULL;
}

static const rule_t table[] = {
    {SpvOpTypeVoid, 2, type_void, 0},
    {SpvOpTypeBool, 2, type_bool, 0},
    {SpvOpTypeInt, 4, type_int, 0},
    {SpvOpTypeFloat, 3, type_float, 0},
    {SpvOpTypeVector, 4, type_vector, 0},
    {SpvOpTypeArray, 4, type_array, 0},
    {SpvOpTypeRuntimeArray, 3, type_runtime_array, 0},
    {SpvOpTypeStruct, 2, type_struct, 0},
    {SpvOpTypeStructContinuedINTEL, 1, skip, 0},
    {SpvOpTypeOpaque, 3, type_opaque, 0},
    {SpvOpTypePointer, 4, type_pointer, 0},
    {SpvOpTypeForwardPointer, 3, type_forward_pointer, 0},
    {SpvOpTypeFunction, 3, type_function, 0},
    {SpvOpTypeImage, 9, type_image, 0},
    {SpvOpTypeSampledImage, 3, type_sampled_image, 0},
    {SpvOpTypeSampler, 2, type_plain, 0},
    {SpvOpTypeEvent, 2, type_plain, 1},
    {SpvOpTypeReserveId, 2, type_plain, 2},
    {SpvOpTypePipe, 3, type_pipe, 0},
    {SpvOpTypePipeStorage, 2, type_pipe_storage, 0},
};
RULES(type_rules, table);
