/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Prices an option by simulated paths. Compiled with -ffast-math, for the vector library. */
#include <math.h>

#include "case.h"

static inline unsigned state_next(unsigned state) {
  state ^= state << 13;
  state ^= state >> 17;
  return state ^ state << 5;
}

BENCH_WORK(paths) {
  const unsigned *restrict seeds = arguments[0];
  float *restrict payoffs = arguments[1];
  const size_t count = BENCH_UINT(2);
  const int steps = (int)BENCH_UINT(3);
  const float drift = BENCH_FLOAT(4), volatility = BENCH_FLOAT(5);
  BENCH_PARALLEL_SIMD()
  for (size_t i = 0; i < count; i++) {
    unsigned state = seeds[i] | 1;
    float price = 0, sum = 0;
    for (int step = 0; step < steps; step++) {
      state = state_next(state);
      const float u = ((float)(int)(state >> 8) + 0.5f) * 0x1p-24f;
      state = state_next(state);
      const float v = (float)(int)(state >> 8) * 0x1p-24f;
      price += drift + volatility * sqrtf(-2.0f * logf(u)) * cosf(6.2831853f * v);
      sum += expf(price);
    }
    const float payoff = sum / (float)steps - 1.0f;
    payoffs[i] = payoff > 0 ? payoff : 0;
  }
}

#ifdef BENCH_DEFINES_CASE
static void set_up(bench_data_t *data, size_t size) {
  bench_fill_uints(bench_add_input(data, BENCH_U32, size), size, 0xFFFFFFFF);
  bench_add_output(data, BENCH_F32, size);
  bench_add_uint(data, size);
  bench_add_uint(data, 64);
  bench_add_float(data, 0.001f);
  bench_add_float(data, 0.05f);
  bench_set_range(data, size, 0);
}

BENCH_CASE(paths, .class = CLASS_WALK, .size = 20000, .check_size = 500, .relative = 1e-3, .absolute = 1e-4);
#endif
