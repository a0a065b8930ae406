/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * A stencil of five points. */
#include "case.h"

BENCH_WORK(stencil_2d) {
  const float *restrict in = arguments[0];
  float *restrict out = arguments[1];
  const size_t n = BENCH_UINT(2), pitch = n + 2;
  const float centre = BENCH_FLOAT(3), side = BENCH_FLOAT(4);
  BENCH_PARALLEL()
  for (size_t row = 0; row < n; row++) {
    BENCH_SIMD()
    for (size_t column = 0; column < n; column++) {
      const size_t i = (row + 1) * pitch + column + 1;
      out[row * n + column] = centre * in[i] + side * (in[i - 1] + in[i + 1] + in[i - pitch] + in[i + pitch]);
    }
  }
}

#ifdef BENCH_DEFINES_CASE
static void set_up(bench_data_t *data, size_t size) {
  const size_t range[2] = {size, size}, local[2] = {0}, cells = (size + 2) * (size + 2);
  bench_fill_floats(bench_add_input(data, BENCH_F32, cells), cells, 0, 100);
  bench_add_output(data, BENCH_F32, size * size);
  bench_add_uint(data, size);
  bench_add_float(data, 0.5f);
  bench_add_float(data, 0.125f);
  bench_set_range_2d(data, range, local);
}

BENCH_CASE(stencil_2d, .class = CLASS_STENCIL, .size = 4096, .check_size = 100, .relative = 1e-5, .absolute = 1e-5);
#endif
