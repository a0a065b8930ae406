/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Histograms of blocks of bytes. */
#include <string.h>

#include "case.h"

enum { BINS = 256, LANES = 128, BLOCK = 16384 };

BENCH_WORK(histogram) {
  const unsigned char *restrict in = arguments[0];
  unsigned *restrict bins = arguments[1];
  const size_t block = BENCH_UINT(2), blocks = BENCH_UINT(3);
  BENCH_PARALLEL()
  for (size_t b = 0; b < blocks; b++) {
    unsigned counts[BINS];
    memset(counts, 0, sizeof(counts));
    for (size_t i = b * block; i < (b + 1) * block; i++) counts[in[i]]++;
    memcpy(bins + b * BINS, counts, sizeof(counts));
  }
}

#ifdef BENCH_DEFINES_CASE
static void set_up(bench_data_t *data, size_t size) {
  bench_fill_bytes(bench_add_input(data, BENCH_U8, size * BLOCK), size * BLOCK, 200);
  bench_add_output(data, BENCH_U32, size * BINS);
  bench_add_uint(data, BLOCK);
  bench_add_uint(data, size);
  bench_set_range(data, size * LANES, LANES);
}

BENCH_CASE(histogram, .class = CLASS_REDUCTION, .size = 512, .check_size = 5);
#endif
