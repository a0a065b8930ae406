/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Transposition of a matrix by tiles. */
#include "case.h"

enum { TILE = 16 };

static inline void tile_transpose(const float *restrict in, float *restrict out, size_t n) {
  for (size_t y = 0; y < TILE; y++) {
    BENCH_SIMD()
    for (size_t x = 0; x < TILE; x++) out[y * n + x] = in[x * n + y];
  }
}

BENCH_WORK(transposition_tiled) {
  const float *restrict in = arguments[0];
  float *restrict out = arguments[1];
  const size_t n = BENCH_UINT(2);
  BENCH_PARALLEL()
  for (size_t row = 0; row < n; row += TILE) {
    for (size_t column = 0; column < n; column += TILE) {
      tile_transpose(in + row * n + column, out + column * n + row, n);
    }
  }
}

#ifdef BENCH_DEFINES_CASE
static void set_up(bench_data_t *data, size_t size) {
  const size_t range[2] = {size, size}, local[2] = {TILE, TILE};
  bench_fill_floats(bench_add_input(data, BENCH_F32, size * size), size * size, -1, 1);
  bench_add_output(data, BENCH_F32, size * size);
  bench_add_uint(data, size);
  bench_set_range_2d(data, range, local);
}

BENCH_CASE(transposition_tiled, .class = CLASS_TRANSPOSITION, .size = 2000, .check_size = 96);
#endif
