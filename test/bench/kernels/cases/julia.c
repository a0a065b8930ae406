/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * A Julia set: a loop with several exits. */
#include <math.h>

#include "case.h"

static inline float shade_of(float x, float y, float cx, float cy, int limit) {
  for (int step = 0; step < limit; step++) {
    const float xx = x * x, yy = y * y, size = xx + yy;
    if (size > 16.0f) return (float)step + 1.0f - log2f(0.5f * log2f(size));
    if (size < 1e-6f) return -1.0f;
    y = 2.0f * x * y + cy;
    x = xx - yy + cx;
  }
  return 0;
}

BENCH_WORK(julia) {
  float *restrict shades = arguments[0];
  const int width = (int)BENCH_UINT(1), height = (int)BENCH_UINT(2), limit = (int)BENCH_UINT(3);
  const float cx = BENCH_FLOAT(4), cy = BENCH_FLOAT(5);
  BENCH_PARALLEL(schedule(dynamic, 4))
  for (int row = 0; row < height; row++) {
    BENCH_SIMD()
    for (int column = 0; column < width; column++) {
      const float x = -1.6f + 3.2f * (float)column / (float)width, y = -1.2f + 2.4f * (float)row / (float)height;
      shades[row * width + column] = shade_of(x, y, cx, cy, limit);
    }
  }
}

#ifdef BENCH_DEFINES_CASE
static void set_up(bench_data_t *data, size_t size) {
  const size_t range[2] = {size, size}, local[2] = {0};
  bench_add_output(data, BENCH_F32, size * size);
  bench_add_uint(data, size);
  bench_add_uint(data, size);
  bench_add_uint(data, 300);
  bench_add_float(data, -0.745f);
  bench_add_float(data, 0.113f);
  bench_set_range_2d(data, range, local);
}

/* The map is chaotic: rounding grows with each step. */
BENCH_CASE(julia, .class = CLASS_DIVERGENT, .size = 384, .check_size = 96, .relative = 1e-3, .absolute = 1e-3,
           .may_differ = 0.05);
#endif
