/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * A stencil of seven points. */
#include "case.h"

BENCH_WORK(stencil_3d) {
  const float *restrict in = arguments[0];
  float *restrict out = arguments[1];
  const size_t n = BENCH_UINT(2), row = n + 2, plane = row * row;
  const float centre = BENCH_FLOAT(3), side = BENCH_FLOAT(4);
  BENCH_PARALLEL(collapse(2))
  for (size_t z = 0; z < n; z++) {
    for (size_t y = 0; y < n; y++) {
      BENCH_SIMD()
      for (size_t x = 0; x < n; x++) {
        const size_t i = (z + 1) * plane + (y + 1) * row + x + 1;
        const float sides = in[i - 1] + in[i + 1] + in[i - row] + in[i + row] + in[i - plane] + in[i + plane];
        out[(z * n + y) * n + x] = centre * in[i] + side * sides;
      }
    }
  }
}

#ifdef BENCH_DEFINES_CASE
static void set_up(bench_data_t *data, size_t size) {
  const size_t range[3] = {size, size, size}, local[3] = {0}, cells = (size + 2) * (size + 2) * (size + 2);
  bench_fill_floats(bench_add_input(data, BENCH_F32, cells), cells, 0, 100);
  bench_add_output(data, BENCH_F32, size * size * size);
  bench_add_uint(data, size);
  bench_add_float(data, 0.4f);
  bench_add_float(data, 0.1f);
  bench_set_range_3d(data, range, local);
}

BENCH_CASE(stencil_3d, .class = CLASS_STENCIL, .size = 240, .check_size = 20, .relative = 1e-5, .absolute = 1e-5);
#endif
