/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Words to instructions: header, byte order, ids, literals. Nothing behind this file reads beyond an instruction. */
#define SPV_ENABLE_UTILITY_CODE
#include <string.h>

#include "compiler/spirv/importer.h"

enum {
  header_words = 5,
  version_first = 0x00010000,
  version_last = 0x00010600,
};

/* The header defines it inline; this is where it lives. */
extern void SpvHasResultAndType(SpvOp opcode, bool *hasResult, bool *hasResultType);

static void find_shape(SpvOp opcode, bool *has_result, bool *has_type) {
  SpvHasResultAndType(opcode, has_result, has_type);
  switch ((uint32_t)opcode) {
    case newer_op_fma_khr:
    case newer_op_poison_khr:
    case newer_op_freeze_khr:
    case newer_op_convert_f_to_bf16_intel:
    case newer_op_convert_bf16_to_f_intel:
    case newer_op_round_f_to_tf32_intel:
    case newer_op_arithmetic_fence_ext: *has_result = *has_type = true;
  }
}

instruction_t read_instruction(const uint32_t *words) {
  instruction_t in = {.opcode = (SpvOp)(words[0] & SpvOpCodeMask), .count = words[0] >> SpvWordCountShift};
  bool has_result = false, has_type = false;
  in.words = words;
  find_shape(in.opcode, &has_result, &has_type);
  uint32_t index = 1;
  if (has_type && index < in.count) in.type = words[index++];
  if (has_result && index < in.count) in.result = words[index];
  return in;
}

static uint32_t swap_bytes(uint32_t word) { return __builtin_bswap32(word); }

static void read_words(importer_t *im) {
  size_t count = im->input->size / sizeof(uint32_t);
  if (im->input->size % sizeof(uint32_t) != 0 || count < header_words) {
    import_fail(im, "%zu bytes are no SPIR-V module", im->input->size);
  }
  uint32_t *words = import_alloc(im, count, sizeof(*words));
  memcpy(words, im->input->data, im->input->size);
  if (words[0] == swap_bytes(SpvMagicNumber)) {
    for (size_t i = 0; i < count; i++) words[i] = swap_bytes(words[i]);
  }
  im->words = words;
  im->word_count = count;
}

static void read_header(importer_t *im) {
  if (im->words[0] != SpvMagicNumber) import_fail(im, "no SPIR-V module: the first word is 0x%08x", im->words[0]);
  im->version = im->words[1];
  if (im->version < version_first || im->version > version_last || (im->version & 0xff)) {
    import_fail(im, "SPIR-V version 0x%08x is not supported; 1.0 to 1.6 are", im->version);
  }
  im->bound = im->words[3];
  if (im->bound == 0 || im->bound > import_max_bound)
    import_fail(im, "the bound of ids, %u, is out of range", im->bound);
  if (im->words[4] != 0) import_fail(im, "instruction schema %u is not supported", im->words[4]);
  im->ids = import_alloc(im, im->bound, sizeof(*im->ids));
}

/* Each id is defined once. The operands of a type come before the type, but for pointers; that is checked where they
 * are read. */
static void scan_instruction(importer_t *im, const instruction_t *in) {
  bool has_result = false, has_type = false;
  find_shape(in->opcode, &has_result, &has_type);
  if (in->count < 1u + has_result + has_type) import_fail(im, "too few words");
  if (has_type) id_at(im, in->type);
  if (!has_result) return;
  import_id_t *id = id_at(im, in->result);
  if (id->definition) import_fail(im, "id %%%u is defined twice", in->result);
  id->definition = in->words;
  if (has_type) id->type = in->type;
}

void reader_scan(importer_t *im) {
  read_words(im);
  read_header(im);
  for (size_t at = header_words; at < im->word_count;) {
    uint32_t count = im->words[at] >> SpvWordCountShift;
    instruction_t none = {.opcode = (SpvOp)(im->words[at] & SpvOpCodeMask), .count = count, .words = im->words + at};
    im->current = &none;
    if (count == 0 || count > im->word_count - at) import_fail(im, "its %u words do not end in the module", count);
    instruction_t in = read_instruction(im->words + at);
    im->current = &in;
    scan_instruction(im, &in);
    im->current = NULL;
    at += count;
  }
}

const char *read_string(importer_t *im, const instruction_t *in, uint32_t index, uint32_t *next) {
  for (uint32_t i = index; i < in->count; i++) {
    const char *bytes = (const char *)&in->words[i];
    if (!memchr(bytes, 0, sizeof(uint32_t))) continue;
    if (next) *next = i + 1;
    return (const char *)&in->words[index];
  }
  import_fail(im, "the string at operand %u does not end", index);
}

uint64_t read_literal(importer_t *im, const instruction_t *in, uint32_t index, uint32_t type) {
  uint64_t value = operand_word(im, in, index);
  if (type_at(im, type)->size > sizeof(uint32_t)) value |= (uint64_t)operand_word(im, in, index + 1) << 32;
  return value;
}

uint32_t operand_word(importer_t *im, const instruction_t *in, uint32_t index) {
  if (index >= in->count) import_fail(im, "operand %u is missing", index);
  return in->words[index];
}
