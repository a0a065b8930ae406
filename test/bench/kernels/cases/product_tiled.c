/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * The product of two matrices by tiles; C's tiles are those that suit its caches. */
#include "case.h"

enum { TILE = 64, KERNEL_TILE = 16 };

static void tiles_multiply(const float *restrict a, const float *restrict b, float *restrict c, size_t n) {
  for (size_t row = 0; row < TILE; row++) {
    for (size_t k = 0; k < TILE; k++) {
      const float factor = a[row * n + k];
      BENCH_SIMD()
      for (size_t column = 0; column < TILE; column++) c[row * n + column] += factor * b[k * n + column];
    }
  }
}

BENCH_WORK(product_tiled) {
  const float *restrict a = arguments[0], *restrict b = arguments[1];
  float *restrict c = arguments[2];
  const size_t n = BENCH_UINT(3);
  BENCH_PARALLEL()
  for (size_t row = 0; row < n; row += TILE) {
    for (size_t i = row * n; i < (row + TILE) * n; i++) c[i] = 0;
    for (size_t k = 0; k < n; k += TILE) {
      for (size_t column = 0; column < n; column += TILE) {
        tiles_multiply(a + row * n + k, b + k * n + column, c + row * n + column, n);
      }
    }
  }
}

#ifdef BENCH_DEFINES_CASE
static void set_up(bench_data_t *data, size_t size) {
  const size_t range[2] = {size, size}, local[2] = {KERNEL_TILE, KERNEL_TILE};
  bench_fill_floats(bench_add_input(data, BENCH_F32, size * size), size * size, -1, 1);
  bench_fill_floats(bench_add_input(data, BENCH_F32, size * size), size * size, 0, 1);
  bench_add_output(data, BENCH_F32, size * size);
  bench_add_uint(data, size);
  bench_set_range_2d(data, range, local);
}

BENCH_CASE(product_tiled, .class = CLASS_MATRIX, .size = 576, .check_size = 64, .relative = 1e-4, .absolute = 1e-3);
#endif
