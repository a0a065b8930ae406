/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Running sums within blocks of an array, each without the element itself. */
#include "case.h"

enum { LANES = 256, BLOCK = 2 * LANES };

BENCH_WORK(scan) {
  const unsigned *restrict in = arguments[0];
  unsigned *restrict sums = arguments[1];
  const size_t blocks = BENCH_UINT(3);
  BENCH_PARALLEL()
  for (size_t b = 0; b < blocks; b++) {
    unsigned sum = 0;
    for (size_t i = b * BLOCK; i < (b + 1) * BLOCK; i++) {
      sums[i] = sum;
      sum += in[i];
    }
  }
}

#ifdef BENCH_DEFINES_CASE
static void set_up(bench_data_t *data, size_t size) {
  bench_fill_uints(bench_add_input(data, BENCH_U32, size * BLOCK), size * BLOCK, 1000);
  bench_add_output(data, BENCH_U32, size * BLOCK);
  bench_add_local(data, BLOCK * sizeof(unsigned));
  bench_add_uint(data, size);
  bench_set_range(data, size * LANES, LANES);
}

BENCH_CASE(scan, .class = CLASS_REDUCTION, .size = 8192, .check_size = 7);
#endif
