/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Convolution with a filter of seven by seven. */
#include "case.h"

enum { RADIUS = 3, TAPS = 2 * RADIUS + 1 };

BENCH_WORK(convolution) {
  const float *restrict in = arguments[0], *restrict weights = arguments[1];
  float *restrict out = arguments[2];
  const size_t width = BENCH_UINT(3), height = BENCH_UINT(4), pitch = width + 2 * RADIUS;
  BENCH_PARALLEL()
  for (size_t row = 0; row < height; row++) {
    BENCH_SIMD()
    for (size_t column = 0; column < width; column++) {
      float sum = 0;
      for (size_t y = 0; y < TAPS; y++) {
        for (size_t x = 0; x < TAPS; x++) sum += weights[y * TAPS + x] * in[(row + y) * pitch + column + x];
      }
      out[row * width + column] = sum;
    }
  }
}

#ifdef BENCH_DEFINES_CASE
static void set_up(bench_data_t *data, size_t size) {
  const size_t range[2] = {size, size}, local[2] = {0}, cells = (size + 2 * RADIUS) * (size + 2 * RADIUS);
  bench_fill_floats(bench_add_input(data, BENCH_F32, cells), cells, 0, 1);
  bench_fill_floats(bench_add_input(data, BENCH_F32, TAPS * TAPS), TAPS * TAPS, -1, 1);
  bench_add_output(data, BENCH_F32, size * size);
  bench_add_uint(data, size);
  bench_add_uint(data, size);
  bench_set_range_2d(data, range, local);
}

BENCH_CASE(convolution, .class = CLASS_CONVOLUTION, .size = 1024, .check_size = 60, .relative = 1e-4, .absolute = 1e-4);
#endif
