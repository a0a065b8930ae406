/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Images and samplers: calls of OpenCL C's image functions. */
#include <stdio.h>
#include <string.h>

#include "compiler/spirv/importer.h"

typedef struct image_t {
  argument_t argument;
  const uint32_t *words;
  bool is_depth, is_array;
} image_t;

static image_t image_of(importer_t *im, uint32_t id) {
  import_id_t *entry = id_at(im, id);
  LLVMValueRef value = value_at(im, id);
  const uint32_t *words = type_of_kind(im, entry->type, SpvOpTypeImage, "an image")->definition;
  return (image_t){argument_of(value, entry->type, argument_plain), words, words[4] == 1, words[5] == 1};
}

/* The instruction that made a sampled image. */
static const uint32_t *made_by(importer_t *im, uint32_t sampled_image) {
  import_id_t *entry = id_at(im, sampled_image);
  bool is_made =
      entry->kind == id_value && entry->definition && (entry->definition[0] & SpvOpCodeMask) == SpvOpSampledImage;
  need(im, is_made, "a sampled image comes from OpSampledImage");
  return entry->definition;
}

static LLVMValueRef sampled_image(importer_t *im, const instruction_t *in, uint32_t data) {
  (void)data;
  type_of_kind(im, in->type, SpvOpTypeSampledImage, "a sampled image type");
  type_of_kind(im, operand_type(im, in, 4), SpvOpTypeSampler, "a sampler");
  return image_of(im, in->words[3]).argument.value;
}

static LLVMValueRef image(importer_t *im, const instruction_t *in, uint32_t data) {
  (void)data;
  return image_of(im, made_by(im, in->words[3])[3]).argument.value;
}

/* The operands behind the coordinates: what matters is the level of detail, and the sign of what is read. */
typedef struct operands_t {
  bool has_lod, is_unsigned;
  uint32_t lod;
} operands_t;

static operands_t read_operands(importer_t *im, const instruction_t *in, uint32_t index) {
  operands_t out = {0};
  if (index >= in->count) return out;
  uint32_t bits = in->words[index];
  const uint32_t known = SpvImageOperandsLodMask | SpvImageOperandsSignExtendMask | SpvImageOperandsZeroExtendMask |
                         SpvImageOperandsNontemporalMask;
  if (bits & ~known) import_fail(im, "image operands 0x%x are not supported", bits);
  out.is_unsigned = bits & SpvImageOperandsZeroExtendMask;
  if (!(bits & SpvImageOperandsLodMask)) return out;
  out.lod = operand_word(im, in, index + 1);
  /* Level 0 is what an image without levels has. */
  LLVMValueRef lod = value_at(im, out.lod);
  out.has_lod = !(LLVMIsConstant(lod) && LLVMIsNull(lod));
  return out;
}

/* The letter of read_imagef and its kin for texels of this type. */
static const char *texel_suffix(importer_t *im, LLVMTypeRef type, bool is_unsigned) {
  LLVMTypeRef scalar = scalar_type(type);
  if (LLVMGetTypeKind(scalar) == LLVMHalfTypeKind) return "h";
  if (LLVMGetTypeKind(scalar) == LLVMFloatTypeKind) return "f";
  need(im, is_int(scalar) && LLVMGetIntTypeWidth(scalar) == 32, "texels are float, half or 32-bit integers");
  return is_unsigned ? "ui" : "i";
}

static argument_t coordinates(importer_t *im, const instruction_t *in, uint32_t index) {
  return argument_at(im, in, index, argument_signed);
}

static argument_t lod_argument(importer_t *im, const operands_t *operands) {
  return argument_of(value_at(im, operands->lod), id_at(im, operands->lod)->type, argument_signed);
}

/* Depth images have one component, which SPIR-V may want in a vector. */
static LLVMValueRef call_read(importer_t *im, const instruction_t *in, const image_t *from, const operands_t *operands,
                              const argument_t *arguments, unsigned count) {
  char name[32];
  LLVMTypeRef type = result_type(im, in), called = from->is_depth ? scalar_type(type) : type;
  need(im, from->is_depth || vector_size(type) == 4, "a texel has four components");
  snprintf(name, sizeof(name), "read_image%s", texel_suffix(im, type, operands->is_unsigned));
  LLVMValueRef texel = call_builtin(im, name, called, arguments, count);
  if (called == type) return texel;
  return LLVMBuildInsertElement(im->builder, LLVMConstNull(type), texel, constant_u32(im, 0), "");
}

static LLVMValueRef sample(importer_t *im, const instruction_t *in, uint32_t data) {
  (void)data;
  const uint32_t *made = made_by(im, in->words[3]);
  image_t from = image_of(im, made[3]);
  operands_t operands = read_operands(im, in, 5);
  argument_t arguments[4] = {from.argument,
                             argument_of(value_at(im, made[4]), id_at(im, made[4])->type, argument_plain),
                             coordinates(im, in, 4)};
  unsigned count = 3;
  if (operands.has_lod) arguments[count++] = lod_argument(im, &operands);
  return call_read(im, in, &from, &operands, arguments, count);
}

static LLVMValueRef read(importer_t *im, const instruction_t *in, uint32_t data) {
  (void)data;
  image_t from = image_of(im, in->words[3]);
  operands_t operands = read_operands(im, in, 5);
  argument_t arguments[3] = {from.argument, coordinates(im, in, 4)};
  unsigned count = 2;
  if (operands.has_lod) arguments[count++] = lod_argument(im, &operands);
  return call_read(im, in, &from, &operands, arguments, count);
}

static LLVMValueRef write(importer_t *im, const instruction_t *in, uint32_t data) {
  (void)data;
  image_t to = image_of(im, in->words[1]);
  LLVMValueRef texel = operand_value(im, in, 3);
  operands_t operands = read_operands(im, in, 4);
  char name[32];
  snprintf(name, sizeof(name), "write_image%s", texel_suffix(im, LLVMTypeOf(texel), operands.is_unsigned));
  argument_t arguments[4] = {to.argument, coordinates(im, in, 2)};
  unsigned count = 2;
  if (operands.has_lod) arguments[count++] = lod_argument(im, &operands);
  uint32_t type = operand_type(im, in, 3);
  if (to.is_depth && is_vector(LLVMTypeOf(texel))) {
    texel = LLVMBuildExtractElement(im->builder, texel, constant_u32(im, 0), "");
    type = type_scalar(im, type);
  }
  arguments[count++] = argument_of(texel, type, operands.is_unsigned ? argument_plain : argument_signed);
  call_builtin(im, name, LLVMVoidTypeInContext(im->context), arguments, count);
  return NULL;
}

static LLVMValueRef query(importer_t *im, const image_t *from, const char *name) {
  return call_builtin(im, name, LLVMInt32TypeInContext(im->context), &from->argument, 1);
}

/* Width, then what the dimensions of the image add. */
static LLVMValueRef query_size(importer_t *im, const instruction_t *in, uint32_t data) {
  (void)data;
  image_t from = image_of(im, in->words[3]);
  LLVMTypeRef type = result_type(im, in), wide = LLVMInt32TypeInContext(im->context);
  LLVMValueRef parts[4];
  unsigned count = 0;
  need(im, is_int(type) && !is_bool(type), "an integer type is wanted");
  parts[count++] = query(im, &from, "get_image_width");
  bool has_height = from.words[3] == SpvDim2D || from.words[3] == SpvDim3D;
  if (has_height) parts[count++] = query(im, &from, "get_image_height");
  if (from.words[3] == SpvDim3D) parts[count++] = query(im, &from, "get_image_depth");
  if (from.is_array) {
    LLVMTypeRef size = LLVMInt64TypeInContext(im->context);
    LLVMValueRef layers = call_builtin(im, "get_image_array_size", size, &from.argument, 1);
    parts[count++] = LLVMBuildTrunc(im->builder, layers, wide, "");
  }
  need(im, count == vector_size(type), "the number of components is wrong");
  LLVMValueRef all = LLVMGetPoison(type);
  for (unsigned i = 0; i < count; i++) {
    LLVMValueRef part = LLVMBuildIntCast2(im->builder, parts[i], scalar_type(type), false, "");
    if (!is_vector(type)) return part;
    all = LLVMBuildInsertElement(im->builder, all, part, constant_u32(im, i), "");
  }
  return all;
}

typedef struct query_t {
  const char *name;
  /** OpenCL's constant for SPIR-V's 0. */
  uint32_t base;
} query_t;

static LLVMValueRef query_number(importer_t *im, const instruction_t *in, uint32_t which) {
  static const query_t queries[] = {{"get_image_channel_data_type", 0x10D0},
                                    {"get_image_channel_order", 0x10B0},
                                    {"get_image_num_mip_levels", 0},
                                    {"get_image_num_samples", 0}};
  image_t from = image_of(im, in->words[3]);
  need(im, is_int(result_type(im, in)) && !is_vector(result_type(im, in)), "an integer type is wanted");
  LLVMValueRef value = query(im, &from, queries[which].name);
  value = LLVMBuildSub(im->builder, value, constant_u32(im, queries[which].base), "");
  return LLVMBuildIntCast2(im->builder, value, result_type(im, in), false, "");
}

/* A sub-group's blocks of an image: "intel_sub_group_block_read_ui4". */
static LLVMValueRef call_block(importer_t *im, const char *kind, LLVMTypeRef element, LLVMTypeRef result,
                               const argument_t *arguments, unsigned count) {
  unsigned bits = is_int(element) ? LLVMGetIntTypeWidth(scalar_type(element)) : 0, size = vector_size(element);
  need(im, bits == 32 || bits == 64, "a block of an image is of 32-bit or 64-bit integers");
  need(im, size == 1 || size == 2 || size == 4 || size == 8,
       "a block is of integers, or vectors of two, four or eight");
  char name[64];
  snprintf(name, sizeof(name), "intel_sub_group_block_%s_%s", kind, bits == 32 ? "ui" : "ul");
  if (size > 1) snprintf(name + strlen(name), sizeof(name) - strlen(name), "%u", size);
  return call_builtin(im, name, result, arguments, count);
}

static LLVMValueRef block_read(importer_t *im, const instruction_t *in, uint32_t data) {
  (void)data;
  const argument_t arguments[] = {image_of(im, in->words[3]).argument, coordinates(im, in, 4)};
  return call_block(im, "read", result_type(im, in), result_type(im, in), arguments, 2);
}

static LLVMValueRef block_write(importer_t *im, const instruction_t *in, uint32_t data) {
  (void)data;
  LLVMValueRef block = operand_value(im, in, 3);
  const argument_t arguments[] = {image_of(im, in->words[1]).argument, coordinates(im, in, 2),
                                  argument_at(im, in, 3, argument_plain)};
  call_block(im, "write", LLVMTypeOf(block), LLVMVoidTypeInContext(im->context), arguments, 3);
  return NULL;
}

static const rule_t table[] = {
    {SpvOpSampledImage, 5, sampled_image, 0},
    {SpvOpImage, 4, image, 0},
    {SpvOpImageSampleExplicitLod, 6, sample, 0},
    {SpvOpImageRead, 5, read, 0},
    {SpvOpImageWrite, 4, write, 0},
    {SpvOpImageQuerySizeLod, 5, query_size, 0},
    {SpvOpImageQuerySize, 4, query_size, 0},
    {SpvOpImageQueryFormat, 4, query_number, 0},
    {SpvOpImageQueryOrder, 4, query_number, 1},
    {SpvOpImageQueryLevels, 4, query_number, 2},
    {SpvOpImageQuerySamples, 4, query_number, 3},
    {SpvOpSubgroupImageBlockReadINTEL, 5, block_read, 0},
    {SpvOpSubgroupImageBlockWriteINTEL, 4, block_write, 0},
};
RULES(image_rules, table);
