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
  bool is_unsigned;
  /** Ids: the level, or both gradients; else 0. */
  uint32_t lod, gradients[2];
} operands_t;

static const char *operand_name(uint32_t bit) {
  static const char *const names[] = {"Bias",
                                      "Lod",
                                      "Grad",
                                      "ConstOffset",
                                      "Offset",
                                      "ConstOffsets",
                                      "Sample",
                                      "MinLod",
                                      "MakeTexelAvailable",
                                      "MakeTexelVisible",
                                      "NonPrivateTexel",
                                      "VolatileTexel"};
  return bit < sizeof(names) / sizeof(*names) ? names[bit] : "unknown";
}

/* The level 0 that an image has without levels too is none. */
static uint32_t level_at(importer_t *im, uint32_t id) {
  LLVMValueRef level = value_at(im, id);
  return LLVMIsConstant(level) && LLVMIsNull(level) ? 0 : id;
}

/* What the instruction understands of Lod and Grad is `levels`. */
static operands_t read_operands(importer_t *im, const instruction_t *in, uint32_t index, uint32_t levels) {
  operands_t out = {0};
  if (index >= in->count) return out;
  const uint32_t bits = in->words[index++];
  const uint32_t known =
      levels | SpvImageOperandsSignExtendMask | SpvImageOperandsZeroExtendMask | SpvImageOperandsNontemporalMask;
  for (uint32_t bit = 0; bit < 32; bit++) {
    if (bits & ~known & 1u << bit) {
      import_fail(im, "the image operand 0x%x (%s) is not supported here", 1u << bit, operand_name(bit));
    }
  }
  out.is_unsigned = bits & SpvImageOperandsZeroExtendMask;
  if (bits & SpvImageOperandsLodMask) out.lod = level_at(im, operand_word(im, in, index++));
  if (bits & SpvImageOperandsGradMask) {
    need(im, !(bits & SpvImageOperandsLodMask), "the image operands Lod and Grad exclude each other");
    for (unsigned i = 0; i < 2; i++) out.gradients[i] = operand_word(im, in, index++);
  }
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

/* How many numbers place a pixel, the layer not among them. */
static unsigned image_dimensions(const image_t *image) {
  return image->words[3] == SpvDim3D ? 3 : image->words[3] == SpvDim2D ? 2 : 1;
}

/* Coordinates and gradients may have more components than the image needs, and three where OpenCL C has four. */
static argument_t fit_components(importer_t *im, uint32_t id, unsigned needed) {
  const uint32_t type = id_at(im, id)->type;
  LLVMValueRef value = value_at(im, id);
  const unsigned count = vector_size(LLVMTypeOf(value)), wanted = needed == 3 ? 4 : needed;
  need(im, count >= needed, "the image needs more components");
  argument_t argument = argument_of(value, type, argument_signed);
  if (count == wanted) return argument;
  argument.components = wanted;
  if (wanted == 1) {
    argument.value = LLVMBuildExtractElement(im->builder, value, constant_u32(im, 0), "");
    return argument;
  }
  LLVMValueRef lanes[4], none = LLVMConstNull(LLVMTypeOf(value));
  for (unsigned i = 0; i < wanted; i++) lanes[i] = constant_u32(im, i < needed ? i : count);
  argument.value = LLVMBuildShuffleVector(im->builder, value, none, LLVMConstVector(lanes, wanted), "");
  return argument;
}

static argument_t coordinates(importer_t *im, const instruction_t *in, uint32_t index, const image_t *image) {
  return fit_components(im, operand_word(im, in, index), image_dimensions(image) + image->is_array);
}

static LLVMTypeRef component_at(importer_t *im, uint32_t id) { return scalar_type(LLVMTypeOf(value_at(im, id))); }

static bool is_float_at(importer_t *im, uint32_t id) {
  return LLVMGetTypeKind(component_at(im, id)) == LLVMFloatTypeKind;
}

/* The level of an image that has such: a whole number, or one for samplers. */
static argument_t level_argument(importer_t *im, const image_t *image, uint32_t id, bool is_whole) {
  need(im, image->words[3] != SpvDimBuffer, "an image of a buffer has no levels");
  LLVMTypeRef type = LLVMTypeOf(value_at(im, id));
  bool is_level = is_whole ? is_int(type) && !is_vector(type) && LLVMGetIntTypeWidth(type) == 32
                           : LLVMGetTypeKind(type) == LLVMFloatTypeKind;
  need(im, is_level, "a level of detail is a 32-bit number: of float for samplers, else an integer");
  return argument_of(value_at(im, id), id_at(im, id)->type, argument_signed);
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
  operands_t operands = read_operands(im, in, 5, SpvImageOperandsLodMask | SpvImageOperandsGradMask);
  argument_t arguments[5] = {from.argument,
                             argument_of(value_at(im, made[4]), id_at(im, made[4])->type, argument_plain),
                             coordinates(im, in, 4, &from)};
  unsigned count = 3;
  bool has_gradients = operands.gradients[0];
  if (operands.lod || has_gradients) {
    need(im, is_float_at(im, in->words[4]), "a level of detail needs coordinates of float");
  }
  if (operands.lod) arguments[count++] = level_argument(im, &from, operands.lod, false);
  for (unsigned i = 0; has_gradients && i < 2; i++) {
    need(im, is_float_at(im, operands.gradients[i]), "gradients are of float");
    arguments[count++] = fit_components(im, operands.gradients[i], image_dimensions(&from));
  }
  return call_read(im, in, &from, &operands, arguments, count);
}

static LLVMValueRef read(importer_t *im, const instruction_t *in, uint32_t data) {
  (void)data;
  image_t from = image_of(im, in->words[3]);
  operands_t operands = read_operands(im, in, 5, SpvImageOperandsLodMask);
  argument_t arguments[3] = {from.argument, coordinates(im, in, 4, &from)};
  unsigned count = 2;
  if (operands.lod) arguments[count++] = level_argument(im, &from, operands.lod, true);
  return call_read(im, in, &from, &operands, arguments, count);
}

static LLVMValueRef write(importer_t *im, const instruction_t *in, uint32_t data) {
  (void)data;
  image_t to = image_of(im, in->words[1]);
  LLVMValueRef texel = operand_value(im, in, 3);
  operands_t operands = read_operands(im, in, 4, SpvImageOperandsLodMask);
  char name[32];
  snprintf(name, sizeof(name), "write_image%s", texel_suffix(im, LLVMTypeOf(texel), operands.is_unsigned));
  argument_t arguments[4] = {to.argument, coordinates(im, in, 2, &to)};
  unsigned count = 2;
  if (operands.lod) arguments[count++] = level_argument(im, &to, operands.lod, true);
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

/* Of the level whose id this is, or of the first. */
static LLVMValueRef query_extent(importer_t *im, const image_t *from, const char *name, uint32_t level) {
  if (!level) return query(im, from, name);
  const argument_t arguments[] = {from->argument, level_argument(im, from, level, true)};
  return call_builtin(im, name, LLVMInt32TypeInContext(im->context), arguments, 2);
}

/* Width, then what the dimensions of the image add. */
static LLVMValueRef query_size(importer_t *im, const instruction_t *in, uint32_t has_level) {
  image_t from = image_of(im, in->words[3]);
  const uint32_t level = has_level ? level_at(im, in->words[4]) : 0;
  LLVMTypeRef type = result_type(im, in), wide = LLVMInt32TypeInContext(im->context);
  LLVMValueRef parts[4];
  unsigned count = 0;
  need(im, is_int(type) && !is_bool(type), "an integer type is wanted");
  static const char *const names[] = {"get_image_width", "get_image_height", "get_image_depth"};
  for (; count < image_dimensions(&from); count++) parts[count] = query_extent(im, &from, names[count], level);
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
  static const query_t queries[] = {
      {"get_image_channel_data_type", 0x10D0}, {"get_image_channel_order", 0x10B0}, {"get_image_num_mip_levels", 0}};
  image_t from = image_of(im, in->words[3]);
  need(im, is_int(result_type(im, in)) && !is_vector(result_type(im, in)), "an integer type is wanted");
  LLVMValueRef value = query(im, &from, queries[which].name);
  value = LLVMBuildSub(im->builder, value, constant_u32(im, queries[which].base), "");
  return LLVMBuildIntCast2(im->builder, value, result_type(im, in), false, "");
}

static LLVMValueRef query_samples(importer_t *im, const instruction_t *in, uint32_t data) {
  (void)in, (void)data;
  import_fail(im, "OpImageQuerySamples is for multisampled images, which are not supported");
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
  const image_t from = image_of(im, in->words[3]);
  const argument_t arguments[] = {from.argument, coordinates(im, in, 4, &from)};
  return call_block(im, "read", result_type(im, in), result_type(im, in), arguments, 2);
}

static LLVMValueRef block_write(importer_t *im, const instruction_t *in, uint32_t data) {
  (void)data;
  LLVMValueRef block = operand_value(im, in, 3);
  const image_t to = image_of(im, in->words[1]);
  const argument_t arguments[] = {to.argument, coordinates(im, in, 2, &to), argument_at(im, in, 3, argument_plain)};
  call_block(im, "write", LLVMTypeOf(block), LLVMVoidTypeInContext(im->context), arguments, 3);
  return NULL;
}

static const rule_t table[] = {
    {SpvOpSampledImage, 5, sampled_image, 0},
    {SpvOpImage, 4, image, 0},
    {SpvOpImageSampleExplicitLod, 6, sample, 0},
    {SpvOpImageRead, 5, read, 0},
    {SpvOpImageWrite, 4, write, 0},
    {SpvOpImageQuerySizeLod, 5, query_size, 1},
    {SpvOpImageQuerySize, 4, query_size, 0},
    {SpvOpImageQueryFormat, 4, query_number, 0},
    {SpvOpImageQueryOrder, 4, query_number, 1},
    {SpvOpImageQueryLevels, 4, query_number, 2},
    {SpvOpImageQuerySamples, 4, query_samples, 0},
    {SpvOpSubgroupImageBlockReadINTEL, 5, block_read, 0},
    {SpvOpSubgroupImageBlockWriteINTEL, 4, block_write, 0},
};
RULES(image_rules, table);
