/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * A mix of trigonometry, exponentials and logarithms. Compiled with -ffast-math, for the vector library. */
#include <math.h>

#include "case.h"

BENCH_WORK(trigonometry) {
  const float *restrict in = arguments[0];
  float *restrict out = arguments[1];
  const size_t count = BENCH_UINT(2);
  BENCH_PARALLEL_SIMD()
  for (size_t i = 0; i < count; i++) {
    const float x = in[i];
    float sum = sinf(x) * cosf(x * 1.5f);
    sum += expf(-fabsf(x)) * logf(fabsf(x) + 1.0f);
    sum += tanf(x * 0.1f) + atanf(x);
    out[i] = sum + powf(fabsf(x) + 0.5f, 0.3f);
  }
}

#ifdef BENCH_DEFINES_CASE
static void set_up(bench_data_t *data, size_t size) {
  bench_fill_floats(bench_add_input(data, BENCH_F32, size), size, -10, 10);
  bench_add_output(data, BENCH_F32, size);
  bench_add_uint(data, size);
  bench_set_range(data, size, 0);
}

BENCH_CASE(trigonometry, .class = CLASS_MATH, .size = 500000, .check_size = 4096, .relative = 1e-5, .absolute = 1e-5);
#endif
