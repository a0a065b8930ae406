/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * The Mandelbrot set: a loop that each point leaves at another time. */
#include "case.h"

static inline int steps_of(float cx, float cy, int limit) {
  float x = 0, y = 0;
  int step = 0;
  while (step < limit && x * x + y * y < 4.0f) {
    const float next = x * x - y * y + cx;
    y = 2.0f * x * y + cy;
    x = next;
    step++;
  }
  return step;
}

BENCH_WORK(mandelbrot) {
  int *restrict steps = arguments[0];
  const int width = (int)BENCH_UINT(1), height = (int)BENCH_UINT(2), limit = (int)BENCH_UINT(3);
  BENCH_PARALLEL(schedule(dynamic, 4))
  for (int row = 0; row < height; row++) {
    BENCH_SIMD()
    for (int column = 0; column < width; column++) {
      const float cx = -2.0f + 3.0f * (float)column / (float)width, cy = -1.25f + 2.5f * (float)row / (float)height;
      steps[row * width + column] = steps_of(cx, cy, limit);
    }
  }
}

#ifdef BENCH_DEFINES_CASE
static void set_up(bench_data_t *data, size_t size) {
  const size_t range[2] = {size, size}, local[2] = {0};
  bench_add_output(data, BENCH_I32, size * size);
  bench_add_uint(data, size);
  bench_add_uint(data, size);
  bench_add_uint(data, 256);
  bench_set_range_2d(data, range, local);
}

BENCH_CASE(mandelbrot, .class = CLASS_DIVERGENT, .size = 384, .check_size = 96, .may_differ = 0.01);
#endif
