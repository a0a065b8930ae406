/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Transposition of a matrix, element by element. */
#include "case.h"

BENCH_WORK(transposition) {
  const float *restrict in = arguments[0];
  float *restrict out = arguments[1];
  const size_t n = BENCH_UINT(2);
  BENCH_PARALLEL()
  for (size_t column = 0; column < n; column++) {
    BENCH_SIMD()
    for (size_t row = 0; row < n; row++) out[column * n + row] = in[row * n + column];
  }
}

#ifdef BENCH_DEFINES_CASE
static void set_up(bench_data_t *data, size_t size) {
  const size_t range[2] = {size, size}, local[2] = {0};
  bench_fill_floats(bench_add_input(data, BENCH_F32, size * size), size * size, -1, 1);
  bench_add_output(data, BENCH_F32, size * size);
  bench_add_uint(data, size);
  bench_set_range_2d(data, range, local);
}

BENCH_CASE(transposition, .class = CLASS_TRANSPOSITION, .size = 2000, .check_size = 100);
#endif
