/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * The mean of the four neighbours of each pixel of an image of floats; beside it array_mean. */
#include "case.h"

BENCH_WORK(image_mean) {
  const float *restrict in = arguments[0];
  float *restrict out = arguments[1];
  const size_t width = BENCH_UINT(2), height = BENCH_UINT(3);
  BENCH_PARALLEL()
  for (size_t row = 0; row < height; row++) {
    const float *const here = in + 4 * width * row;
    const float *const above = row ? here - 4 * width : here;
    const float *const below = row + 1 < height ? here + 4 * width : here;
    BENCH_SIMD()
    for (size_t column = 0; column < width; column++) {
      const size_t left = column ? column - 1 : 0, right = column + 1 < width ? column + 1 : column;
      for (size_t i = 0; i < 4; i++) {
        const float sum = here[4 * left + i] + here[4 * right + i] + above[4 * column + i] + below[4 * column + i];
        out[4 * (row * width + column) + i] = 0.25f * sum;
      }
    }
  }
}

#ifdef BENCH_DEFINES_CASE
static void set_up(bench_data_t *data, size_t size) {
  const size_t range[2] = {size, size}, local[2] = {0};
  bench_fill_floats(bench_add_float_image(data, size, size), 4 * size * size, -1, 1);
  bench_add_output(data, BENCH_F32, 4 * size * size);
  bench_add_uint(data, size);
  bench_add_uint(data, size);
  bench_set_range_2d(data, range, local);
}

BENCH_CASE(image_mean, .class = CLASS_FILTER, .size = 512, .check_size = 48, .absolute = 1e-6);
#endif
