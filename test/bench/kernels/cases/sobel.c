/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Sobel's edge filter over pixels of four bytes. */
#include <math.h>

#include "case.h"

static inline float luminance(const unsigned char *pixel) {
  return 0.299f * (float)pixel[0] + 0.587f * (float)pixel[1] + 0.114f * (float)pixel[2];
}

static inline unsigned char edge_of(const unsigned char *above, const unsigned char *here, const unsigned char *below) {
  const float a = luminance(above), b = luminance(above + 4), c = luminance(above + 8);
  const float d = luminance(here), f = luminance(here + 8);
  const float g = luminance(below), h = luminance(below + 4), i = luminance(below + 8);
  const float x = c + 2.0f * f + i - a - 2.0f * d - g, y = g + 2.0f * h + i - a - 2.0f * b - c;
  const float edge = sqrtf(x * x + y * y);
  return (unsigned char)(int)(edge < 255.0f ? edge : 255.0f);
}

BENCH_WORK(sobel) {
  const unsigned char *restrict in = arguments[0];
  unsigned char *restrict out = arguments[1];
  const size_t width = BENCH_UINT(2), height = BENCH_UINT(3), pitch = 4 * (width + 2);
  BENCH_PARALLEL()
  for (size_t row = 0; row < height; row++) {
    const unsigned char *above = in + row * pitch, *here = above + pitch, *below = here + pitch;
    BENCH_SIMD()
    for (size_t column = 0; column < width; column++) {
      unsigned char *target = out + 4 * (row * width + column);
      target[0] = target[1] = target[2] = edge_of(above + 4 * column, here + 4 * column, below + 4 * column);
      target[3] = here[4 * column + 7];
    }
  }
}

#ifdef BENCH_DEFINES_CASE
static void set_up(bench_data_t *data, size_t size) {
  const size_t range[2] = {size, size}, local[2] = {0}, bytes = 4 * (size + 2) * (size + 2);
  bench_fill_bytes(bench_add_input(data, BENCH_U8, bytes), bytes, 256);
  bench_add_output(data, BENCH_U8, 4 * size * size);
  bench_add_uint(data, size);
  bench_add_uint(data, size);
  bench_set_range_2d(data, range, local);
}

/* Rounding may change the last bit. */
BENCH_CASE(sobel, .class = CLASS_FILTER, .size = 1024, .check_size = 64, .absolute = 1);
#endif
