/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Prices of European options by the formula of Black and Scholes. Compiled with -ffast-math, for the vector library. */
#include <math.h>

#include "case.h"

static inline float normal_distribution(float d) {
  const float k = 1.0f / (1.0f + 0.2316419f * fabsf(d));
  const float series =
      k * (0.31938153f + k * (-0.356563782f + k * (1.781477937f + k * (-1.821255978f + k * 1.330274429f))));
  const float tail = 0.39894228f * expf(-0.5f * d * d) * series;
  return d > 0 ? 1.0f - tail : tail;
}

BENCH_WORK(black_scholes) {
  const float *restrict price = arguments[0], *restrict strike = arguments[1], *restrict years = arguments[2];
  float *restrict call = arguments[3], *restrict put = arguments[4];
  const float rate = BENCH_FLOAT(5), volatility = BENCH_FLOAT(6);
  const size_t count = BENCH_UINT(7);
  BENCH_PARALLEL_SIMD()
  for (size_t i = 0; i < count; i++) {
    const float s = price[i], x = strike[i], t = years[i];
    const float root = sqrtf(t);
    const float d1 = (logf(s / x) + (rate + 0.5f * volatility * volatility) * t) / (volatility * root);
    const float d2 = d1 - volatility * root;
    const float n1 = normal_distribution(d1), n2 = normal_distribution(d2);
    const float discounted = x * expf(-rate * t);
    call[i] = s * n1 - discounted * n2;
    put[i] = discounted * (1.0f - n2) - s * (1.0f - n1);
  }
}

#ifdef BENCH_DEFINES_CASE
static void set_up(bench_data_t *data, size_t size) {
  bench_fill_floats(bench_add_input(data, BENCH_F32, size), size, 5, 30);
  bench_fill_floats(bench_add_input(data, BENCH_F32, size), size, 1, 100);
  bench_fill_floats(bench_add_input(data, BENCH_F32, size), size, 0.25f, 10);
  bench_add_output(data, BENCH_F32, size);
  bench_add_output(data, BENCH_F32, size);
  bench_add_float(data, 0.02f);
  bench_add_float(data, 0.3f);
  bench_add_uint(data, size);
  bench_set_range(data, size, 0);
}

BENCH_CASE(black_scholes, .class = CLASS_MATH, .size = 1000000, .check_size = 4096, .relative = 1e-4, .absolute = 1e-4);
#endif
