/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Copies an array: what memory gives. */
#include "case.h"

BENCH_WORK(copy) {
  const float *restrict from = arguments[0];
  float *restrict to = arguments[1];
  const size_t count = BENCH_UINT(2);
  BENCH_PARALLEL_SIMD()
  for (size_t i = 0; i < count; i++) to[i] = from[i];
}

#ifdef BENCH_DEFINES_CASE
static void set_up(bench_data_t *data, size_t size) {
  bench_fill_floats(bench_add_input(data, BENCH_F32, size), size, -1, 1);
  bench_add_output(data, BENCH_F32, size);
  bench_add_uint(data, size);
  bench_set_range(data, size, 0);
}

BENCH_CASE(copy, .class = CLASS_STREAMING, .size = 16 << 20, .check_size = 10000);
#endif
