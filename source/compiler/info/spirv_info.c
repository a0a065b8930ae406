/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * A quick look into SPIR-V modules: header and specialization constants. */
#include "compiler/spirv_info.h"

#include <string.h>

/* Of the SPIR-V specification, so that a driver without a compiler needs no header of the registry. */
enum {
  magic = 0x07230203,
  version_first = 0x00010000,
  version_last = 0x00010600,
  header_words = 5,
  op_type_int = 21,
  op_type_float = 22,
  op_spec_constant_true = 48,
  op_spec_constant_false = 49,
  op_spec_constant = 50,
  op_decorate = 71,
  op_group_decorate = 74,
  decoration_spec_id = 1,
};

typedef struct words_t {
  const unsigned char *data;
  size_t count;
  bool is_swapped;
} words_t;

static uint32_t word_at(const words_t *words, size_t index) {
  uint32_t word;
  memcpy(&word, words->data + index * sizeof(word), sizeof(word));
  return words->is_swapped ? __builtin_bswap32(word) : word;
}

static words_t open_words(const void *data, size_t size) {
  words_t words = {.data = data, .count = size / sizeof(uint32_t)};
  words.is_swapped = words.count > 0 && word_at(&words, 0) != magic;
  return words;
}

bool spirv_info_is_module(const void *data, size_t size) {
  words_t words = open_words(data, size);
  if (size % sizeof(uint32_t) != 0 || words.count < header_words || word_at(&words, 0) != magic) return false;
  uint32_t version = word_at(&words, 1);
  return version >= version_first && version <= version_last && (version & 0xff) == 0;
}

/* The next instruction at or behind `*at` with this opcode and `operand` at word `index`: its length, or 0. */
static size_t find(const words_t *words, size_t *at, uint32_t opcode, size_t index, uint32_t operand) {
  size_t length;
  for (; *at < words->count; *at += length) {
    uint32_t first = word_at(words, *at);
    length = first >> 16;
    if (length == 0 || length > words->count - *at) return 0;
    bool is_wanted = (first & 0xffff) == opcode && length > index && word_at(words, *at + index) == operand;
    if (is_wanted) return length;
  }
  return 0;
}

static size_t number_size(const words_t *words, uint32_t type) {
  static const uint32_t opcodes[] = {op_type_int, op_type_float};
  for (size_t i = 0; i < 2; i++) {
    size_t at = header_words;
    if (find(words, &at, opcodes[i], 1, type) > 2) return spirv_info_number_size(word_at(words, at + 2));
  }
  return 0;
}

static size_t constant_size(const words_t *words, uint32_t id) {
  size_t at = header_words;
  if (find(words, &at, op_spec_constant_true, 2, id)) return 1;
  at = header_words;
  if (find(words, &at, op_spec_constant_false, 2, id)) return 1;
  at = header_words;
  return find(words, &at, op_spec_constant, 2, id) ? number_size(words, word_at(words, at + 1)) : 0;
}

/* The constant with the decoration: `target`, or what this is a decoration group of. One constant has a SpecId. */
static size_t decorated_size(const words_t *words, uint32_t target) {
  size_t at = header_words, size = constant_size(words, target);
  bool is_group = !size && find(words, &at, op_group_decorate, 1, target) > 2;
  return is_group ? constant_size(words, word_at(words, at + 2)) : size;
}

size_t spirv_info_constant_size(const void *data, size_t size, uint32_t spec_id) {
  words_t words = open_words(data, size);
  size_t at = header_words, length;
  for (; (length = find(&words, &at, op_decorate, 2, decoration_spec_id)); at += length) {
    if (length > 3 && word_at(&words, at + 3) == spec_id) return decorated_size(&words, word_at(&words, at + 1));
  }
  return 0;
}
