/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Marks where a word occurs in a text: each position is compared until a byte differs. */
#include <string.h>

#include "case.h"

enum { LETTERS = 4, LENGTH = 8 };

BENCH_WORK(search) {
  const unsigned char *restrict text = arguments[0], *restrict word = arguments[1];
  unsigned char *restrict found = arguments[2];
  const size_t positions = BENCH_UINT(3), length = BENCH_UINT(4);
  BENCH_PARALLEL()
  for (size_t i = 0; i < positions; i++) {
    size_t same = 0;
    while (same < length && text[i + same] == word[same]) same++;
    found[i] = same == length;
  }
}

#ifdef BENCH_DEFINES_CASE
/** Few letters, so that the word occurs. */
static void set_up(bench_data_t *data, size_t size) {
  unsigned char *text = bench_add_input(data, BENCH_U8, size + LENGTH);
  bench_fill_bytes(text, size + LENGTH, LETTERS);
  memcpy(bench_add_input(data, BENCH_U8, LENGTH), text + size / 2, LENGTH);
  bench_add_output(data, BENCH_U8, size);
  bench_add_uint(data, size);
  bench_add_uint(data, LENGTH);
  bench_set_range(data, size, 0);
}

BENCH_CASE(search, .class = CLASS_HASHING, .size = 8 << 20, .check_size = 5000);
#endif
