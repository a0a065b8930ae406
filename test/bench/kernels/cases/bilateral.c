/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * A bilateral filter of five by five over pixels of four bytes. Compiled with -ffast-math, for the vector library. */
#include <math.h>

#include "case.h"

enum { RADIUS = 2, TAPS = 2 * RADIUS + 1 };

static inline void pixel_filter(const unsigned char *in, size_t pitch, float nearness, float likeness,
                                unsigned char *out) {
  const unsigned char *me = in + RADIUS * pitch + 4 * RADIUS;
  float sum0 = 0, sum1 = 0, sum2 = 0, sum3 = 0, weights = 0;
  for (size_t y = 0; y < TAPS; y++) {
    for (size_t x = 0; x < TAPS; x++) {
      const unsigned char *other = in + y * pitch + 4 * x;
      const float d0 = (float)(other[0] - me[0]), d1 = (float)(other[1] - me[1]), d2 = (float)(other[2] - me[2]);
      const int dx = (int)x - RADIUS, dy = (int)y - RADIUS;
      const float distance = d0 * d0 + d1 * d1 + d2 * d2;
      const float weight = expf(-nearness * (float)(dx * dx + dy * dy) - likeness * distance);
      sum0 += weight * (float)other[0];
      sum1 += weight * (float)other[1];
      sum2 += weight * (float)other[2];
      sum3 += weight * (float)other[3];
      weights += weight;
    }
  }
  out[0] = (unsigned char)(int)(sum0 / weights + 0.5f);
  out[1] = (unsigned char)(int)(sum1 / weights + 0.5f);
  out[2] = (unsigned char)(int)(sum2 / weights + 0.5f);
  out[3] = (unsigned char)(int)(sum3 / weights + 0.5f);
}

BENCH_WORK(bilateral) {
  const unsigned char *restrict in = arguments[0];
  unsigned char *restrict out = arguments[1];
  const size_t width = BENCH_UINT(2), height = BENCH_UINT(3), pitch = 4 * (width + 2 * RADIUS);
  const float nearness = BENCH_FLOAT(4), likeness = BENCH_FLOAT(5);
  BENCH_PARALLEL()
  for (size_t row = 0; row < height; row++) {
    BENCH_SIMD()
    for (size_t column = 0; column < width; column++) {
      pixel_filter(in + row * pitch + 4 * column, pitch, nearness, likeness, out + 4 * (row * width + column));
    }
  }
}

#ifdef BENCH_DEFINES_CASE
static void set_up(bench_data_t *data, size_t size) {
  const size_t range[2] = {size, size}, local[2] = {0}, bytes = 4 * (size + 2 * RADIUS) * (size + 2 * RADIUS);
  bench_fill_bytes(bench_add_input(data, BENCH_U8, bytes), bytes, 256);
  bench_add_output(data, BENCH_U8, 4 * size * size);
  bench_add_uint(data, size);
  bench_add_uint(data, size);
  bench_add_float(data, 0.1f);
  bench_add_float(data, 1e-4f);
  bench_set_range_2d(data, range, local);
}

/* Rounding may change the last bit. */
BENCH_CASE(bilateral, .class = CLASS_FILTER, .size = 384, .check_size = 48, .absolute = 1);
#endif
