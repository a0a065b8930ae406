/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * The nearest of several centres for each point of eight dimensions: the costly step of k-means. */
#include <math.h>

#include "case.h"

enum { DIMENSIONS = 8, CENTRES = 20 };

BENCH_WORK(clustering) {
  const float *restrict points = arguments[0], *restrict centres = arguments[1];
  int *restrict nearest = arguments[2];
  const size_t count = BENCH_UINT(3), centre_count = BENCH_UINT(4);
  BENCH_PARALLEL_SIMD()
  for (size_t i = 0; i < count; i++) {
    float best = INFINITY;
    int best_centre = 0;
    for (size_t c = 0; c < centre_count; c++) {
      float distance = 0;
      for (size_t d = 0; d < DIMENSIONS; d++) {
        const float difference = points[d * count + i] - centres[c * DIMENSIONS + d];
        distance += difference * difference;
      }
      best_centre = distance < best ? (int)c : best_centre;
      best = distance < best ? distance : best;
    }
    nearest[i] = best_centre;
  }
}

#ifdef BENCH_DEFINES_CASE
static void set_up(bench_data_t *data, size_t size) {
  bench_fill_floats(bench_add_input(data, BENCH_F32, DIMENSIONS * size), DIMENSIONS * size, 0, 1);
  bench_fill_floats(bench_add_input(data, BENCH_F32, DIMENSIONS * CENTRES), DIMENSIONS * CENTRES, 0, 1);
  bench_add_output(data, BENCH_I32, size);
  bench_add_uint(data, size);
  bench_add_uint(data, CENTRES);
  bench_set_range(data, size, 0);
}

/* Rounding may decide between centres of nearly the same distance. */
BENCH_CASE(clustering, .class = CLASS_CLUSTERING, .size = 200000, .check_size = 3000, .may_differ = 0.001);
#endif
