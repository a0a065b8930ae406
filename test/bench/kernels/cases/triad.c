/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * The triad of the STREAM benchmark; the kernel has OpenCL vectors of four floats. */
#include "case.h"

BENCH_WORK(triad) {
  const float *restrict b = arguments[0], *restrict c = arguments[1];
  float *restrict a = arguments[2];
  const float scale = BENCH_FLOAT(3);
  const size_t count = BENCH_UINT(4);
  BENCH_PARALLEL_SIMD()
  for (size_t i = 0; i < count; i++) a[i] = b[i] + scale * c[i];
}

#ifdef BENCH_DEFINES_CASE
static void set_up(bench_data_t *data, size_t size) {
  bench_fill_floats(bench_add_input(data, BENCH_F32, size), size, -1, 1);
  bench_fill_floats(bench_add_input(data, BENCH_F32, size), size, 1, 2);
  bench_add_output(data, BENCH_F32, size);
  bench_add_float(data, 3);
  bench_add_uint(data, size);
  bench_set_range(data, size / 4, 0);
}

BENCH_CASE(triad, .class = CLASS_STREAMING, .size = 16 << 20, .check_size = 16384, .relative = 1e-6, .absolute = 1e-6);
#endif
