/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * A Gaussian blur of three by three over an image of bytes, clamped at the edges. */
#include "case.h"

static inline size_t clamped(size_t position, size_t offset, size_t limit) {
  const size_t moved = position + offset;
  return moved == 0 ? 0 : moved > limit ? limit - 1 : moved - 1;
}

static inline float blurred(const unsigned char *const rows[3], const size_t columns[3], size_t channel) {
  static const float weights[3] = {0.25f, 0.5f, 0.25f};
  float sum = 0;
  for (size_t y = 0; y < 3; y++) {
    for (size_t x = 0; x < 3; x++) {
      sum += weights[y] * weights[x] * ((float)rows[y][4 * columns[x] + channel] * (1.0f / 255.0f));
    }
  }
  return sum;
}

BENCH_WORK(image_blur) {
  const unsigned char *restrict in = arguments[0];
  float *restrict out = arguments[1];
  const size_t width = BENCH_UINT(2), height = BENCH_UINT(3);
  BENCH_PARALLEL()
  for (size_t row = 0; row < height; row++) {
    const unsigned char *const rows[3] = {in + 4 * width * clamped(row, 0, height), in + 4 * width * row,
                                          in + 4 * width * clamped(row, 2, height)};
    BENCH_SIMD()
    for (size_t column = 0; column < width; column++) {
      const size_t columns[3] = {clamped(column, 0, width), column, clamped(column, 2, width)};
      float *target = out + 4 * (row * width + column);
      for (size_t channel = 0; channel < 4; channel++) target[channel] = blurred(rows, columns, channel);
    }
  }
}

#ifdef BENCH_DEFINES_CASE
static void set_up(bench_data_t *data, size_t size) {
  const size_t range[2] = {size, size}, local[2] = {0};
  bench_fill_bytes(bench_add_image(data, size, size), 4 * size * size, 256);
  bench_add_output(data, BENCH_F32, 4 * size * size);
  bench_add_uint(data, size);
  bench_add_uint(data, size);
  bench_set_range_2d(data, range, local);
}

BENCH_CASE(image_blur, .class = CLASS_FILTER, .size = 1024, .check_size = 48, .absolute = 1e-5);
#endif
