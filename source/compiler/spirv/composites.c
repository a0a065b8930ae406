/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Vectors, arrays and structs as values. */
#include "compiler/spirv/importer.h"

/* The type of member `index`; fails when there is none. */
static LLVMTypeRef member_type(importer_t *im, LLVMTypeRef type, uint32_t index) {
  switch (LLVMGetTypeKind(type)) {
    case LLVMStructTypeKind:
      if (LLVMIsOpaqueStruct(type) || index >= LLVMCountStructElementTypes(type)) break;
      return LLVMStructGetTypeAtIndex(type, index);
    case LLVMArrayTypeKind:
      if (index >= LLVMGetArrayLength2(type)) break;
      return LLVMGetElementType(type);
    case LLVMVectorTypeKind:
      if (index >= LLVMGetVectorSize(type)) break;
      return LLVMGetElementType(type);
    default: break;
  }
  import_fail(im, "there is no member %u", index);
}

static LLVMValueRef extract_one(importer_t *im, LLVMValueRef value, uint32_t index) {
  member_type(im, LLVMTypeOf(value), index);
  if (!is_vector(LLVMTypeOf(value))) return LLVMBuildExtractValue(im->builder, value, index, "");
  return LLVMBuildExtractElement(im->builder, value, constant_u32(im, index), "");
}

static LLVMValueRef insert_one(importer_t *im, LLVMValueRef value, LLVMValueRef member, uint32_t index) {
  need_same(im, member_type(im, LLVMTypeOf(value), index), LLVMTypeOf(member));
  if (!is_vector(LLVMTypeOf(value))) return LLVMBuildInsertValue(im->builder, value, member, index, "");
  return LLVMBuildInsertElement(im->builder, value, member, constant_u32(im, index), "");
}

static LLVMValueRef extract(importer_t *im, const instruction_t *in, uint32_t data) {
  (void)data;
  LLVMValueRef value = operand_value(im, in, 3);
  for (uint32_t i = 4; i < in->count; i++) value = extract_one(im, value, in->words[i]);
  return value;
}

enum {
  /** Not worth counting. */
  few_parts = 64,
  /** What code for a part costs, compared to a constant. */
  code_per_part = 64,
};

/* Few words can ask for many parts: those that are copied one by one are counted over the module. */
static void take_apart(importer_t *im, uint64_t parts) {
  im->copied_parts += parts;
  if (im->copied_parts > import_max_copied_parts) import_fail(im, "too many parts of composites are copied");
}

/* From the outermost to the innermost and back. */
static LLVMValueRef insert_at(importer_t *im, const instruction_t *in, LLVMValueRef into, LLVMValueRef object,
                              uint32_t at) {
  if (at == in->count) {
    need_same(im, LLVMTypeOf(into), LLVMTypeOf(object));
    return object;
  }
  LLVMValueRef member = extract_one(im, into, in->words[at]);
  return insert_one(im, into, insert_at(im, in, member, object, at + 1), in->words[at]);
}

static LLVMValueRef insert(importer_t *im, const instruction_t *in, uint32_t data) {
  (void)data;
  LLVMValueRef object = operand_value(im, in, 3), into = operand_value(im, in, 4);
  type_value(im, operand_type(im, in, 4));
  uint32_t parts = type_at(im, operand_type(im, in, 4))->parts;
  if (LLVMIsConstant(into) && LLVMIsConstant(object) && parts > few_parts) take_apart(im, parts);
  if (in->count - 5 > import_max_nesting) import_fail(im, "too many indices");
  if (in->count == 6) return insert_one(im, into, object, in->words[5]);
  return insert_at(im, in, into, object, 5);
}

/* The parts of a vector may be vectors themselves. */
static LLVMValueRef construct_vector(importer_t *im, const instruction_t *in, LLVMTypeRef type) {
  LLVMValueRef vector = LLVMGetPoison(type);
  unsigned at = 0;
  for (uint32_t i = 3; i < in->count; i++) {
    LLVMValueRef part = operand_value(im, in, i);
    unsigned count = vector_size(LLVMTypeOf(part));
    need_same(im, scalar_type(LLVMTypeOf(part)), LLVMGetElementType(type));
    need(im, at + count <= vector_size(type), "too many components");
    for (unsigned c = 0; c < count; c++) {
      LLVMValueRef component = is_vector(LLVMTypeOf(part)) ? extract_one(im, part, c) : part;
      vector = insert_one(im, vector, component, at++);
    }
  }
  need(im, at == vector_size(type), "too few components");
  return vector;
}

static uint64_t member_count(LLVMTypeRef type) {
  bool is_struct = LLVMGetTypeKind(type) == LLVMStructTypeKind;
  return is_struct ? LLVMCountStructElementTypes(type) : LLVMGetArrayLength2(type);
}

/* A struct or array of these members, as many as it has. The constant ones make one constant: inserted one by one, each
 * would make a constant of all that came before. */
static LLVMValueRef compose(importer_t *im, LLVMTypeRef type, const LLVMValueRef *members) {
  uint32_t count = (uint32_t)member_count(type);
  LLVMValueRef *constants = import_alloc(im, count + 1, sizeof(*constants));
  for (uint32_t i = 0; i < count; i++) {
    LLVMTypeRef wanted = member_type(im, type, i);
    need_same(im, LLVMTypeOf(members[i]), wanted);
    constants[i] = LLVMIsConstant(members[i]) ? members[i] : LLVMGetPoison(wanted);
  }
  bool is_struct = LLVMGetTypeKind(type) == LLVMStructTypeKind;
  LLVMValueRef value = is_struct ? LLVMConstNamedStruct(type, constants, count)
                                 : LLVMConstArray2(LLVMGetElementType(type), constants, count);
  for (uint32_t i = 0; i < count; i++) {
    if (!LLVMIsConstant(members[i])) value = insert_one(im, value, members[i], i);
  }
  return value;
}

static LLVMValueRef construct(importer_t *im, const instruction_t *in, uint32_t data) {
  (void)data;
  LLVMTypeRef type = type_data(im, in->type);
  if (is_vector(type)) return construct_vector(im, in, type);
  LLVMTypeKind kind = LLVMGetTypeKind(type);
  need(im, kind == LLVMStructTypeKind || kind == LLVMArrayTypeKind, "the type is no composite");
  need(im, member_count(type) == in->count - 3u, "the number of constituents is wrong");
  LLVMValueRef *members = import_alloc(im, in->count, sizeof(*members));
  for (uint32_t i = 3; i < in->count; i++) members[i - 3] = operand_value(im, in, i);
  return compose(im, type, members);
}

static LLVMValueRef need_vector(importer_t *im, const instruction_t *in, uint32_t index) {
  LLVMValueRef value = operand_value(im, in, index);
  need(im, is_vector(LLVMTypeOf(value)), "a vector is wanted");
  return value;
}

static LLVMValueRef dynamic_index(importer_t *im, const instruction_t *in, uint32_t index) {
  LLVMValueRef value = operand_value(im, in, index);
  need(im, is_int(LLVMTypeOf(value)) && !is_vector(LLVMTypeOf(value)), "the index is an integer");
  return value;
}

static LLVMValueRef extract_dynamic(importer_t *im, const instruction_t *in, uint32_t data) {
  (void)data;
  return LLVMBuildExtractElement(im->builder, need_vector(im, in, 3), dynamic_index(im, in, 4), "");
}

static LLVMValueRef insert_dynamic(importer_t *im, const instruction_t *in, uint32_t data) {
  (void)data;
  LLVMValueRef vector = need_vector(im, in, 3), component = operand_value(im, in, 4);
  need_same(im, LLVMGetElementType(LLVMTypeOf(vector)), LLVMTypeOf(component));
  return LLVMBuildInsertElement(im->builder, vector, component, dynamic_index(im, in, 5), "");
}

/* LLVM shuffles two vectors of one type: the shorter one is made as long as the other. */
static LLVMValueRef widen(importer_t *im, LLVMValueRef vector, unsigned count) {
  unsigned have = vector_size(LLVMTypeOf(vector));
  if (have == count) return vector;
  LLVMValueRef mask[16];
  LLVMTypeRef index = LLVMInt32TypeInContext(im->context);
  for (unsigned i = 0; i < count; i++) mask[i] = i < have ? constant_u32(im, i) : LLVMGetPoison(index);
  LLVMValueRef other = LLVMGetPoison(LLVMTypeOf(vector));
  return LLVMBuildShuffleVector(im->builder, vector, other, LLVMConstVector(mask, count), "");
}

/* Clang 22 writes an undefined vector of any type for one that no component is taken of. */
static LLVMValueRef unused_as(LLVMValueRef unused, LLVMValueRef used) {
  LLVMTypeRef element = LLVMGetElementType(LLVMTypeOf(used));
  return LLVMGetPoison(LLVMVectorType(element, vector_size(LLVMTypeOf(unused))));
}

static LLVMValueRef shuffle(importer_t *im, const instruction_t *in, uint32_t data) {
  (void)data;
  LLVMValueRef left = need_vector(im, in, 3), right = need_vector(im, in, 4);
  unsigned left_count = vector_size(LLVMTypeOf(left)), right_count = vector_size(LLVMTypeOf(right));
  unsigned wide = left_count > right_count ? left_count : right_count, count = in->count - 5;
  need(im, is_vector(result_type(im, in)) && count == vector_size(result_type(im, in)),
       "the number of components is wrong");
  LLVMValueRef mask[16];
  bool uses_left = false, uses_right = false;
  for (unsigned i = 0; i < count; i++) {
    uint32_t index = in->words[5 + i];
    bool is_any = index == UINT32_MAX;
    if (!is_any) *(index < left_count ? &uses_left : &uses_right) = true;
    need(im, is_any || index < left_count + right_count, "there is no such component");
    uint32_t moved = index < left_count ? index : index - left_count + wide;
    mask[i] = is_any ? LLVMGetPoison(LLVMInt32TypeInContext(im->context)) : constant_u32(im, moved);
  }
  if (!uses_right) right = unused_as(right, left);
  if (!uses_left) left = unused_as(left, right);
  need_same(im, LLVMGetElementType(LLVMTypeOf(left)), LLVMGetElementType(LLVMTypeOf(right)));
  left = widen(im, left, wide);
  right = widen(im, right, wide);
  return LLVMBuildShuffleVector(im->builder, left, right, LLVMConstVector(mask, count), "");
}

/* Types of the same shape are the same here unless they are different structs. */
static LLVMValueRef copy_logical_at(importer_t *im, LLVMValueRef value, LLVMTypeRef to, size_t *budget) {
  LLVMTypeRef from = LLVMTypeOf(value);
  if (from == to) return value;
  LLVMTypeKind kind = LLVMGetTypeKind(to);
  need(im, kind == LLVMGetTypeKind(from) && (kind == LLVMStructTypeKind || kind == LLVMArrayTypeKind),
       "the types have different shapes");
  uint64_t count = member_count(to);
  need(im, count == member_count(from) && count <= *budget, "the types have different shapes, or are too large");
  *budget -= count;
  take_apart(im, code_per_part * count);
  LLVMValueRef *members = import_alloc(im, count + 1, sizeof(*members));
  for (uint32_t i = 0; i < count; i++) {
    members[i] = copy_logical_at(im, extract_one(im, value, i), member_type(im, to, i), budget);
  }
  return compose(im, to, members);
}

static LLVMValueRef copy_logical(importer_t *im, const instruction_t *in, uint32_t data) {
  (void)data;
  size_t budget = import_max_parts;
  return copy_logical_at(im, operand_value(im, in, 3), type_data(im, in->type), &budget);
}

static const rule_t table[] = {
    {SpvOpVectorExtractDynamic, 5, extract_dynamic, 0},
    {SpvOpVectorInsertDynamic, 6, insert_dynamic, 0},
    {SpvOpVectorShuffle, 5, shuffle, 0},
    {SpvOpCompositeConstruct, 3, construct, 0},
    {SpvOpCompositeExtract, 4, extract, 0},
    {SpvOpCompositeInsert, 5, insert, 0},
    {SpvOpCopyLogical, 4, copy_logical, 0},
};
RULES(composite_rules, table);
