/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * The product of two matrices; C has its loops in the order that reads rows. */
#include "case.h"

BENCH_WORK(product) {
  const float *restrict a = arguments[0], *restrict b = arguments[1];
  float *restrict c = arguments[2];
  const size_t n = BENCH_UINT(3);
  BENCH_PARALLEL()
  for (size_t row = 0; row < n; row++) {
    float *restrict target = c + row * n;
    for (size_t column = 0; column < n; column++) target[column] = 0;
    for (size_t k = 0; k < n; k++) {
      const float factor = a[row * n + k];
      BENCH_SIMD()
      for (size_t column = 0; column < n; column++) target[column] += factor * b[k * n + column];
    }
  }
}

#ifdef BENCH_DEFINES_CASE
static void set_up(bench_data_t *data, size_t size) {
  const size_t range[2] = {size, size}, local[2] = {0};
  bench_fill_floats(bench_add_input(data, BENCH_F32, size * size), size * size, -1, 1);
  bench_fill_floats(bench_add_input(data, BENCH_F32, size * size), size * size, 0, 1);
  bench_add_output(data, BENCH_F32, size * size);
  bench_add_uint(data, size);
  bench_set_range_2d(data, range, local);
}

BENCH_CASE(product, .class = CLASS_MATRIX, .size = 480, .check_size = 64, .relative = 1e-4, .absolute = 1e-3);
#endif
