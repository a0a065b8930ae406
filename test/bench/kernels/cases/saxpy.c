/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * y = a x + y, into another array so that every run gives the same. */
#include "case.h"

BENCH_WORK(saxpy) {
  const float *restrict x = arguments[0], *restrict y = arguments[1];
  float *restrict sum = arguments[2];
  const float a = BENCH_FLOAT(3);
  const size_t count = BENCH_UINT(4);
  BENCH_PARALLEL_SIMD()
  for (size_t i = 0; i < count; i++) sum[i] = a * x[i] + y[i];
}

#ifdef BENCH_DEFINES_CASE
static void set_up(bench_data_t *data, size_t size) {
  bench_fill_floats(bench_add_input(data, BENCH_F32, size), size, -1, 1);
  bench_fill_floats(bench_add_input(data, BENCH_F32, size), size, 1, 2);
  bench_add_output(data, BENCH_F32, size);
  bench_add_float(data, 2.5f);
  bench_add_uint(data, size);
  bench_set_range(data, size, 0);
}

BENCH_CASE(saxpy, .class = CLASS_STREAMING, .size = 16 << 20, .check_size = 10000, .relative = 1e-6, .absolute = 1e-6);
#endif
