/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Fourier transforms of 256 points. */
#include <math.h>

#include "case.h"

enum { POINTS = 256, STAGES = 8 };

static inline void butterflies_do(float *restrict low, float *restrict high, const float *restrict roots, size_t count,
                                  size_t step) {
  BENCH_SIMD()
  for (size_t i = 0; i < count; i++) {
    const float x = roots[2 * i * step], y = roots[2 * i * step + 1], bx = high[2 * i], by = high[2 * i + 1];
    const float tx = bx * x - by * y, ty = bx * y + by * x, ax = low[2 * i], ay = low[2 * i + 1];
    low[2 * i] = ax + tx;
    low[2 * i + 1] = ay + ty;
    high[2 * i] = ax - tx;
    high[2 * i + 1] = ay - ty;
  }
}

static inline void transform(const float *restrict in, const float *restrict roots, float *restrict out) {
  for (size_t i = 0; i < POINTS; i++) {
    size_t reversed = 0;
    for (size_t bit = 0; bit < STAGES; bit++) reversed |= (i >> bit & 1) << (STAGES - 1 - bit);
    out[2 * i] = in[2 * reversed];
    out[2 * i + 1] = in[2 * reversed + 1];
  }
  for (size_t stride = 1; stride < POINTS; stride *= 2) {
    for (size_t i = 0; i < POINTS; i += 2 * stride) {
      butterflies_do(out + 2 * i, out + 2 * (i + stride), roots, stride, POINTS / 2 / stride);
    }
  }
}

BENCH_WORK(fourier) {
  const float *restrict in = arguments[0], *restrict roots = arguments[1];
  float *restrict out = arguments[2];
  const size_t transforms = BENCH_UINT(3);
  BENCH_PARALLEL()
  for (size_t i = 0; i < transforms; i++) transform(in + 2 * POINTS * i, roots, out + 2 * POINTS * i);
}

#ifdef BENCH_DEFINES_CASE
static void set_up(bench_data_t *data, size_t size) {
  const double turn = -6.283185307179586 / POINTS;
  bench_fill_floats(bench_add_input(data, BENCH_F32, 2 * POINTS * size), 2 * POINTS * size, -1, 1);
  float *roots = bench_add_input(data, BENCH_F32, POINTS);
  for (int i = 0; i < POINTS / 2; i++) {
    roots[2 * i] = (float)cos(turn * i);
    roots[2 * i + 1] = (float)sin(turn * i);
  }
  bench_add_output(data, BENCH_F32, 2 * POINTS * size);
  bench_add_uint(data, size);
  bench_set_range(data, size * POINTS / 2, POINTS / 2);
}

BENCH_CASE(fourier, .class = CLASS_NETWORK, .size = 4096, .check_size = 5, .relative = 1e-4, .absolute = 1e-4);
#endif
