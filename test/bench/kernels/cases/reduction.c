/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Sums of blocks of an array. */
#include "case.h"

enum { LANES = 256, BLOCK = 4096 };

BENCH_WORK(reduction) {
  const float *restrict in = arguments[0];
  float *restrict sums = arguments[1];
  const size_t block = BENCH_UINT(3), blocks = BENCH_UINT(4);
  BENCH_PARALLEL()
  for (size_t b = 0; b < blocks; b++) {
    float sum = 0;
    BENCH_SIMD(reduction(+ : sum))
    for (size_t i = 0; i < block; i++) sum += in[b * block + i];
    sums[b] = sum;
  }
}

#ifdef BENCH_DEFINES_CASE
static void set_up(bench_data_t *data, size_t size) {
  bench_fill_floats(bench_add_input(data, BENCH_F32, size * BLOCK), size * BLOCK, 0, 1);
  bench_add_output(data, BENCH_F32, size);
  bench_add_local(data, LANES * sizeof(float));
  bench_add_uint(data, BLOCK);
  bench_add_uint(data, size);
  bench_set_range(data, size * LANES, LANES);
}

BENCH_CASE(reduction, .class = CLASS_REDUCTION, .size = 2048, .check_size = 5, .relative = 1e-4);
#endif
