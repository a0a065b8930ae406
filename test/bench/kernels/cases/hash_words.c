/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Hashes words of different lengths byte by byte (FNV-1a). */
#include "case.h"

enum { LONGEST = 48 };

BENCH_WORK(hash_words) {
  const unsigned *restrict starts = arguments[0];
  const unsigned char *restrict text = arguments[1];
  unsigned *restrict hashes = arguments[2];
  const size_t count = BENCH_UINT(3);
  BENCH_PARALLEL()
  for (size_t i = 0; i < count; i++) {
    unsigned hash = 0x811C9DC5;
    for (unsigned at = starts[i]; at < starts[i + 1]; at++) hash = (hash ^ text[at]) * 0x01000193;
    hashes[i] = hash;
  }
}

#ifdef BENCH_DEFINES_CASE
static void set_up(bench_data_t *data, size_t size) {
  unsigned *starts = bench_add_input(data, BENCH_U32, size + 1), sum = 0;
  bench_fill_uints(starts, size + 1, LONGEST);
  for (size_t i = 0; i <= size; i++) {
    const unsigned length = starts[i] + 1;
    starts[i] = sum;
    sum += length;
  }
  bench_fill_bytes(bench_add_input(data, BENCH_U8, starts[size]), starts[size], 256);
  bench_add_output(data, BENCH_U32, size);
  bench_add_uint(data, size);
  bench_set_range(data, size, 0);
}

BENCH_CASE(hash_words, .class = CLASS_HASHING, .size = 300000, .check_size = 2000);
#endif
