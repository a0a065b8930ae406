/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Decorations, kept as lists per id until what they decorate is made. */
#include "compiler/spirv/importer.h"

enum { max_group_decorations = 1 << 20 };

static void add(importer_t *im, uint32_t target, int64_t member, SpvDecoration kind, const uint32_t *operands,
                uint32_t count) {
  /* Groups could multiply them beyond any bound. */
  if (im->decoration_count++ > im->word_count + max_group_decorations) import_fail(im, "too many decorations");
  decoration_t *decoration = import_alloc(im, 1, sizeof(*decoration));
  import_id_t *entry = id_at(im, target);
  *decoration = (decoration_t){entry->decorations, kind, member, operands, count};
  entry->decorations = decoration;
}

/* How many words of operands the decorations have that are read later. */
static uint32_t operand_count(SpvDecoration kind) {
  switch ((uint32_t)kind) {
    case SpvDecorationSpecId:
    case SpvDecorationBuiltIn:
    case SpvDecorationAlignment:
    case SpvDecorationMaxByteOffset:
    case SpvDecorationFuncParamAttr:
    case SpvDecorationFPRoundingMode:
    case SpvDecorationFPFastMathMode: return 1;
    case newer_decoration_host_access_intel:
    case newer_decoration_early_host_access_intel:
    case SpvDecorationLinkageAttributes: return 2;
    default: return 0;
  }
}

static LLVMValueRef decorate(importer_t *im, const instruction_t *in, uint32_t data) {
  (void)data;
  SpvDecoration kind = (SpvDecoration)in->words[2];
  if (in->count - 3 < operand_count(kind)) import_fail(im, "decoration %u has too few operands", (unsigned)kind);
  add(im, in->words[1], -1, kind, in->words + 3, in->count - 3);
  return NULL;
}

static LLVMValueRef decorate_member(importer_t *im, const instruction_t *in, uint32_t data) {
  (void)data;
  SpvDecoration kind = (SpvDecoration)in->words[3];
  if (in->count - 4 < operand_count(kind)) import_fail(im, "decoration %u has too few operands", (unsigned)kind);
  add(im, in->words[1], in->words[2], kind, in->words + 4, in->count - 4);
  return NULL;
}

static LLVMValueRef group(importer_t *im, const instruction_t *in, uint32_t data) {
  (void)data;
  id_at(im, in->words[1])->kind = id_group;
  return NULL;
}

static const decoration_t *group_at(importer_t *im, uint32_t id) {
  import_id_t *entry = id_at(im, id);
  need(im, entry->kind == id_group, "a decoration group is wanted");
  return entry->decorations;
}

static void add_group(importer_t *im, const decoration_t *group, uint32_t target, int64_t member) {
  need(im, id_at(im, target)->kind != id_group, "a group does not decorate a group");
  for (const decoration_t *d = group; d; d = d->next) add(im, target, member, d->kind, d->operands, d->count);
}

static LLVMValueRef decorate_group(importer_t *im, const instruction_t *in, uint32_t data) {
  (void)data;
  const decoration_t *group = group_at(im, in->words[1]);
  for (uint32_t i = 2; i < in->count; i++) add_group(im, group, in->words[i], -1);
  return NULL;
}

static LLVMValueRef decorate_group_members(importer_t *im, const instruction_t *in, uint32_t data) {
  (void)data;
  const decoration_t *group = group_at(im, in->words[1]);
  for (uint32_t i = 2; i + 1 < in->count; i += 2) add_group(im, group, in->words[i], in->words[i + 1]);
  return NULL;
}

unsigned decorated_alignment(importer_t *im, uint32_t id) {
  const decoration_t *decoration = id_decoration(im, id, SpvDecorationAlignment);
  if (!decoration) return 0;
  uint32_t alignment = decoration->operands[0];
  /* Clang 22 writes 128, the alignment of long16, as a byte with a sign. */
  if (alignment == UINT32_MAX - 127) alignment = 128;
  if (alignment & (alignment - 1)) import_fail(im, "alignment %u is no power of two", alignment);
  return alignment > 4096 ? 4096 : alignment;
}

bool specialized_value(importer_t *im, uint32_t id, unsigned bytes, uint64_t *out) {
  const decoration_t *decoration = id_decoration(im, id, SpvDecorationSpecId);
  if (!decoration) return false;
  for (size_t i = 0; i < im->input->specialization_count; i++) {
    const compiler_specialization_t *given = &im->input->specializations[i];
    if (given->id != decoration->operands[0]) continue;
    if (given->size != bytes) import_fail(im, "the value given has %zu bytes, not %u", given->size, bytes);
    *out = given->value;
    return true;
  }
  return false;
}

static const rule_t table[] = {
    {SpvOpDecorate, 3, decorate, 0},
    {SpvOpDecorateId, 3, decorate, 0},
    {SpvOpDecorateString, 3, decorate, 0},
    {SpvOpMemberDecorate, 4, decorate_member, 0},
    {SpvOpMemberDecorateString, 4, decorate_member, 0},
    {SpvOpDecorationGroup, 2, group, 0},
    {SpvOpGroupDecorate, 2, decorate_group, 0},
    {SpvOpGroupMemberDecorate, 2, decorate_group_members, 0},
};
RULES(annotation_rules, table);
